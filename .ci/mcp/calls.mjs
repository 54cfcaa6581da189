// Makes the minimal and the full call of each tool, those of calls.json, by the protocol's own TypeScript client, which holds
// each answer to its schema. Usage: calls.mjs URL TOKEN USER CALLS
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, token, user, calls] = process.argv.slice(2);
const rows = JSON.parse(readFileSync(calls, 'utf8'));
const known = { user };

/** `value` with the texts that begin with `$` replaced by what an earlier answer said. */
function filled(value) {
  if (Array.isArray(value)) return value.map(filled);
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]));
  return typeof value === 'string' && value.startsWith('$') ? known[value.slice(1)] : value;
}

const client = new Client({ name: 'kith-check', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
const tools = new Set((await client.listTools()).tools.map((tool) => tool.name));
assert.deepEqual([...tools].sort(), [...new Set(rows.map(([name]) => name))].sort());
let made = 0;
for (const [name, minimal, full, learned = {}] of rows) {
  for (const args of [minimal, full]) {
    // The keys of asks are other ones than those of the Python client: else each would be a repetition.
    const given = filled(args);
    if (given.key) given.key = `typescript ${given.key}`;
    const result = await client.callTool({ name, arguments: given });
    assert(!result.isError, JSON.stringify([name, given, result]));
    made++;
    for (const [key, path] of Object.entries(learned)) {
      known[key] ??= path.split('.').reduce((at, step) => at?.[step], result.structuredContent);
    }
  }
}
await client.close();
console.log(`TypeScript: ${made} calls of ${tools.size} tools, each answer by its schema`);
