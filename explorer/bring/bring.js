// The page behind a colleague's link. The code stands behind the # of the address, which no browser sends; it goes to the server
// in a header alone.
const at = (id) => document.getElementById(id);
const code = location.hash.slice(1);
const KINDS = { person: "Person", company: "Company", label: "Label" };
let isSending = false;

/** An element with what is in it; `text` is never markup. */
function element(name, props, ...inside) {
  const made = Object.assign(document.createElement(name), props);
  made.append(...inside);
  return made;
}

const counted = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
const day = (time) => new Date(time).toLocaleDateString("en", { year: "numeric", month: "long", day: "numeric" });

function said(status, answer) {
  if (status === 404) return "This link holds no longer: it was replaced, ended, or you left.";
  if (status === 429) return "Too many links that do not hold came from here. Try again in an hour.";
  if (status === 503) return "Too many files arrive right now. Try again in a minute.";
  return answer?.error ?? "This did not work. Try again.";
}

async function send(method, path, body) {
  const headers = { "Kith-Code": code, ...body && { "Content-Type": "application/json" } };
  const response = await fetch(`bring/${path}`, { method, headers, cache: "no-store", body: body && JSON.stringify(body) });
  const answer = await response.json().catch(() => undefined);
  if (!response.ok) throw new Error(said(response.status, answer));
  return answer.data;
}

/** Sends one file as it is; `progress` gets the share that was sent. */
function sendFile(file, progress) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("POST", "bring/files");
    request.responseType = "json";
    request.setRequestHeader("Kith-Code", code);
    // Headers are ASCII.
    const ascii = JSON.stringify(file.name).replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
    request.setRequestHeader("Kith-File", ascii);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
    request.onload = () => request.status === 200 ? done(request.response.data) : failed(new Error(said(request.status, request.response)));
    request.onerror = () => failed(new Error(`${file.name} broke off before its end, and nothing of it was kept. Send it again.`));
    request.send(file);
  });
}

function tell(text) {
  at("status").textContent = text;
}

/** How many rows of `files` were skipped for which reason, those with most rows first. */
function reasons(files) {
  const all = new Map();
  for (const { skips } of files) for (const { reason } of skips) all.set(reason, (all.get(reason) ?? 0) + 1);
  return [...all].sort((one, other) => other[1] - one[1]);
}

function card(file, report) {
  const of = (report?.files ?? []).filter((one) => one.file === file.name || one.file.startsWith(`${file.name}!/`));
  const read = of.filter((one) => one.format || one.fault);
  const lines = read.map((one) => element("p", { className: "small" },
    one.file === file.name ? "" : `${one.file.slice(file.name.length + 2)}: `,
    one.format ? `${one.format}: ${counted(one.read, "row")} read, ${one.used} of new people, ${one.merged} of people already there, ${one.skipped} skipped` : "",
    one.fault ? `${one.format ? ". " : ""}${one.fault}` : ""));
  const why = reasons(of);
  const more = of.reduce((sum, one) => sum + (one.skipsLeft ?? 0), 0);
  const skipped = element("details", {}, element("summary", { textContent: "Why rows were skipped" }),
    element("ul", {}, ...why.map(([reason, rows]) => element("li", { textContent: `${counted(rows, "row")}: ${reason}` })),
      ...more ? [element("li", { textContent: `${counted(more, "further row")}, not listed here` })] : []));
  const remove = element("button", { type: "button", textContent: "Take back", ariaLabel: `Take back ${file.name}` });
  remove.addEventListener("click", () => change("DELETE", `files/${file.id}`, undefined, `${file.name} is removed.`));
  return element("li", {}, element("div", { className: "row" },
    element("h3", {}, element("bdi", { textContent: file.name })), remove), ...lines, ...why.length ? [skipped] : [],
  element("p", { className: "small soft", textContent: `${counted(Math.max(1, Math.round(file.bytes / 1024)), "KiB", "KiB")}, brought on ${day(file.at)}` }));
}

function rule(kind, text) {
  const back = element("button", { type: "button", textContent: "Pass on again", ariaLabel: `Pass on again: ${text}` });
  back.addEventListener("click", () => change("POST", "leave-out", { kind, text, back: true }, `${text} is passed on again.`));
  return element("li", { className: "row" }, element("span", {}, `${KINDS[kind]}: `, element("bdi", { textContent: text })), back);
}

function show(part) {
  const { name, organization, helps, files, leaveOut, report, endsAt } = part;
  at("title").textContent = `Your exports for ${organization}`;
  document.title = `Your exports for ${organization}`;
  at("who").textContent = `You are ${name}. From what you bring ${organization} learns whom you know, since when and how well; of messages and meetings `
    + "only who, whom and when is read. Your files lie encrypted on its server, nobody there sees this page, and you can take all of it back here.";
  at("helps").textContent = `By bringing files you agree that ${helps.join(", ")} may ask you for introductions.`;
  at("helps").hidden = helps.length === 0;
  at("log-in").hidden = helps.length > 0 || files.length === 0;
  at("none").hidden = files.length > 0;
  at("gives").hidden = files.length === 0 || !report;
  if (report) at("gives").textContent = `${counted(report.totals.read, "row")} give ${counted(report.network.people, "person", "people")}, you included; the next import takes them up.`;
  at("list").replaceChildren(...files.map((file) => card(file, report)));
  at("rules").replaceChildren(...Object.keys(KINDS).flatMap((kind) => leaveOut[kind].map((text) => rule(kind, text))));
  at("until").textContent = endsAt ? `This link holds until ${day(endsAt)}; keep it to come back. Anybody who has it can do what you can do here.` : "";
  at("part").hidden = false;
}

async function change(method, path, body, done) {
  tell("One moment…");
  try {
    show(await send(method, path, body));
    tell(done);
    at("title").focus();
  } catch (error) {
    tell(error.message);
  }
}

/** Sends files one after the other; each that is refused says why. */
async function bring(files) {
  if (isSending || files.length === 0) return;
  isSending = true;
  at("refused").replaceChildren();
  let kept = 0;
  for (const file of files) {
    at("sending-name").textContent = `Sending ${file.name}`;
    at("sending").hidden = false;
    at("sent").value = 0;
    tell(`Sending ${file.name}…`);
    try {
      show(await sendFile(file, (share) => {
        at("sent").value = share;
        if (share === 1) at("sending-name").textContent = `Reading ${file.name}`;
      }));
      kept += 1;
    } catch (error) {
      at("refused").append(element("li", { textContent: error.message }));
    }
  }
  at("sending").hidden = true;
  at("files").value = "";
  isSending = false;
  const refused = files.length - kept;
  tell([kept && `${counted(kept, "file")} read.`, refused && `${counted(refused, "file")} not kept; the reason is below.`].filter(Boolean).join(" "));
}

/** The files of a dropped entry, a file or a folder, each with its path. */
async function filesOf(entry) {
  if (entry instanceof File) return [{ path: entry.name, file: entry }];
  if (entry.isFile) return [{ path: entry.fullPath.slice(1), file: await new Promise((done, failed) => entry.file(done, failed)) }];
  const [reader, all] = [entry.createReader(), []];
  // It gives some at a time, and none at the end.
  for (let some = [entry]; some.length;) {
    some = await new Promise((done, failed) => reader.readEntries(done, failed));
    all.push(...some);
  }
  return (await Promise.all(all.map(filesOf))).flat();
}

/** Sends what was dropped. Of files with one name, which would replace each other, each is called by its whole path. */
async function bringDropped(entries) {
  const all = (await Promise.all(entries.map(filesOf))).flat();
  const isTwice = ({ file }) => all.filter((other) => other.file.name === file.name).length > 1;
  await bring(all.map((one) => isTwice(one) ? new File([one.file], one.path.replaceAll("/", " – ")) : one.file));
}

const isOfFiles = (event) => event.dataTransfer?.types.includes("Files");
addEventListener("dragover", (event) => {
  if (!isOfFiles(event)) return;
  event.preventDefault();
  document.body.classList.add("over");
});
addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  if (!isOfFiles(event)) return;
  event.preventDefault();
  document.body.classList.remove("over");
  // They are there only until this ends.
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile()).filter(Boolean);
  bringDropped(entries).catch(() => tell("Something in this folder cannot be read. Drop its files by themselves."));
});
at("files").addEventListener("change", () => bring([...at("files").files]));
at("rule").addEventListener("submit", (event) => {
  event.preventDefault();
  const [kind, text] = [at("kind").value, at("text").value.trim()];
  at("text").value = "";
  change("POST", "leave-out", { kind, text }, `${text} is kept back.`);
});
at("leave-now").addEventListener("click", async () => {
  try {
    await send("DELETE", "part");
    at("part").hidden = true;
    tell("Everything is removed, and this link holds no longer.");
    at("title").focus();
  } catch (error) {
    tell(error.message);
  }
});

send("GET", "part").then((part) => { show(part); tell(""); }, (error) => tell(error.message));
