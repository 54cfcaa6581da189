// The page behind a connector's link. The code stands behind the # of the address, which no browser sends; it goes to the
// server in the body of a request alone.
const at = (id) => document.getElementById(id);
const code = location.hash.slice(1);
const said = {
  yes: "Thank you. They know that you agreed.",
  no: "Thank you. They know that you declined.",
  not_now: "Thank you. Nobody asks you before that day is over.",
  never_about: "Thank you. Nobody asks you about this person again.",
  never_me: "Thank you. Nobody asks you again.",
};

async function send(body) {
  const response = await fetch("answer", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code, ...body }),
  });
  if (response.status === 404) throw new Error("This link holds no longer: it was answered, replaced, or is too old.");
  if (response.status === 429) throw new Error("Too many links that do not hold came from here. Try again in an hour.");
  if (!response.ok) throw new Error((await response.json().catch(() => ({}))).error ?? "This did not work. Try again.");
  return response.json();
}

function tell(text) {
  at("status").textContent = text;
  at("status").hidden = false;
}

function show({ data }) {
  const { askedBy, person, text } = data;
  at("question").textContent = `${askedBy.name} asks: can you introduce them to ${person.name}?`;
  at("who").textContent = [person.name, person.position, person.company].filter(Boolean).join(" · ");
  at("why").textContent = data.why;
  at("never_about").textContent = `Never about ${person.name}`;
  if (text) {
    at("text").value = text;
    at("forward").hidden = false;
    at("share").hidden = !navigator.share;
  }
  at("status").hidden = true;
  at("ask").hidden = false;
}

at("copy").addEventListener("click", () => navigator.clipboard.writeText(at("text").value).then(() => tell("Copied.")));
at("share").addEventListener("click", () => navigator.share({ text: at("text").value }).catch(() => {}));
at("answers").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = event.submitter.value;
  const until = at("until").value;
  if (answer === "not_now" && !until) return tell("Name the day first.");
  try {
    await send(answer === "not_now" ? { answer, until } : { answer });
    at("ask").hidden = true;
    tell(said[answer]);
  } catch (error) {
    tell(error.message);
  }
});

send({}).then(show, (error) => tell(error.message));
