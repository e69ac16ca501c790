// Asks the search of a built site of the documents, as its page does. Prints for each query the address that it puts
// first: node tests/scripts/search-documents.mjs SITE QUERY...

import { readdirSync, readFileSync } from "node:fs";
import vm from "node:vm";

const [site, ...queries] = process.argv.slice(2);
const folder = `${site}/assets/javascripts/workers`;
let hear, answer;
const worker = { addEventListener: (_, listener) => (hear = listener), postMessage: (told) => answer(told), console };
vm.createContext(Object.assign(worker, { self: worker }));
for (const script of [`${site}/search/search_index.js`, ...readdirSync(folder).map((name) => `${folder}/${name}`)])
  vm.runInContext(readFileSync(script, "utf8"), worker);

const ask = (type, data) =>
  new Promise((resolve) => {
    answer = resolve;
    hear({ data: { type, data } });
  });

await ask(0, { ...worker.__index, options: {} });
for (const query of queries) {
  const { data } = await ask(2, query);
  console.log(data.items.flat()[0]?.location);
}
