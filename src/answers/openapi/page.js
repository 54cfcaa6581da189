'use strict';
// A "Send" beside each example: the request as it stands, to the server that this page came from.
const credential = document.getElementById('credential');
credential.closest('.send-as').hidden = false;
for (const example of document.querySelectorAll('details.example')) {
  const { method, request, body } = example.dataset;
  const button = example.appendChild(document.createElement('button'));
  const said = example.appendChild(document.createElement('p'));
  const answer = example.appendChild(document.createElement('pre'));
  button.type = 'button';
  button.className = 'send';
  button.textContent = 'Send';
  said.setAttribute('role', 'status');
  answer.tabIndex = 0;
  answer.hidden = true;
  answer.setAttribute('aria-label', 'The answer');
  const show = async () => {
    const headers = { Accept: 'application/json' };
    if (body) headers['Content-Type'] = 'application/json';
    // The page at /explore keeps its half of the session here.
    const half = localStorage.getItem('kith-page');
    if (half !== null) headers['kith-page'] = half;
    if (credential.value.trim()) headers.Authorization = `Bearer ${credential.value.trim()}`;
    const began = performance.now();
    // Relative, so that it is found below a path of a proxy too.
    const got = await fetch(request.replace(/^\//, ''), { method, headers, body, credentials: 'same-origin', cache: 'no-store', redirect: 'error' });
    const text = await got.text();
    const took = Math.max(1, Math.round(performance.now() - began));
    said.textContent = `${got.status} in ${took} ms, request ${got.headers.get('Service-Request-Id') ?? '-'}`;
    if (got.status === 401) said.textContent += '. Log in on the page, or put a credential in the box at “Credentials”.';
    try {
      answer.textContent = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      answer.textContent = text;
    }
    answer.hidden = false;
  };
  button.addEventListener('click', () => {
    button.disabled = true;
    said.textContent = 'Sending…';
    show().catch(() => { said.textContent = 'No answer came: the server cannot be reached.'; }).finally(() => { button.disabled = false; });
  });
}
