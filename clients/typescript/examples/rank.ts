// Ranks 20 prospects and 5 companies by the best introduction to them. KITH_URL and KITH_KEY say where, and who asks.
import { Kith } from "kith-client";

const { KITH_URL: baseUrl = "http://127.0.0.1:8080", KITH_KEY: credential = "" } = process.env;
const kith = new Kith({ baseUrl, credential, retries: 2 });

const found = (await kith.listGhostOpportunities({ limit: 50, sort: "relevancy" })).data.opportunities;
const prospects = [...new Map(found.map(({ prospect }) => [prospect.id, prospect])).values()].slice(0, 20);
const companies = (await kith.searchCompanies({ q: "software", limit: 5 })).data;
const wanted = [...prospects, ...companies];

const targets = wanted.map(({ id }) => ({ id }));
const batch = (await kith.searchWarmPathsBatch({ targets, perTarget: 1, sort: "warmness" })).data.results;
const ranked = wanted.map(({ name }, index) => ({ name, path: batch[index]?.paths?.[0] }));
ranked.sort((one, other) => (other.path?.warmness ?? -1) - (one.path?.warmness ?? -1));

for (const { name, path } of ranked) {
    const over = path && path.connectionType !== "direct" ? `, over ${path.connector.name}` : "";
    console.log(`${String(path?.warmness ?? "-").padStart(3)}  ${name}: ${path?.fromUserName ?? "nobody"}${over}`);
}
