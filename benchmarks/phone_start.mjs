// The processor time that a phone alone takes: its start beside that of bare Pyodide, pages, and a typed throw.
//
// node benchmarks/phone_start.mjs [SITE] [STORE]    SITE: as `make site` makes it; STORE: a `rollcall.db` to start with

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const RUNS = 5;
const [site = path.join(ROOT, "out/site"), store, mode] = process.argv.slice(2);
const bare = path.join(ROOT, "out/site-build/node_modules/pyodide");

const spentS = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

async function timed(act) {
  const before = spentS();
  const given = await act();
  return [spentS() - before, given];
}

const load = async (folder) => {
  const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
  return loadPyodide({ indexURL: `${folder}/` });
};

async function measure() {
  const { unpack } = await import(pathToFileURL(path.join(ROOT, "web/hosts/phone/shell/tar.js")).href);
  const told = {};
  let python, application;
  [told.python] = await timed(async () => (python = await load(path.join(site, "pyodide"))));
  [told.application] = await timed(() => {
    unpack(python.FS, "/app", fs.readFileSync(path.join(site, "app.tar")));
    python.FS.mkdirTree("/data");
    if (store) python.FS.writeFile("/data/rollcall.db", fs.readFileSync(store));
    python.runPython('import sys; sys.path[:0] = ["/app", "/app/site"]');
    application = python.pyimport("web.hosts.phone.phone_application").start("/data", "localhost", () => {});
  });
  told.ready = spentS();
  let asked = 0;
  const ask = (method, address, body = null, type = "application/json") => {
    const headers = [
      ["accept-language", "en"],
      ["content-type", type],
    ];
    const sent = body && python.toPy(new TextEncoder().encode(body));
    const given = application.answer(String(++asked), method, address, python.toPy(headers), sent, "localhost", true);
    const [status, named, content] = given.toJs();
    if (status >= 400) throw new Error(`${method} ${address}: ${status} ${new TextDecoder().decode(content)}`);
    return { named, content };
  };
  const page = async (address) => (await timed(() => ask("GET", address)))[0];
  told.firstStartPage = await page("/");
  told.startPage = await page("/");
  const form = "game=ones-and-fives&player=Ada&player=Bob";
  const { named } = ask("POST", "/tables", form, "application/x-www-form-urlencoded");
  const base = named.find(([name]) => name === "Location")[1];
  told.firstTablePage = await page(base);
  told.tablePage = await page(base);
  const times = [];
  for (let version = 0; version < 40; ) {
    const action = version % 2 ? {} : { action: { do: "throw", dice: [1, 1, 1, 5, 2, 3] } };
    const body = JSON.stringify({ version, request: `benchmark-${version}`, ...action });
    const [spent, { content }] = await timed(() =>
      ask("POST", `/api/v1${base}/${version % 2 ? "undo" : "actions"}`, body),
    );
    ({ version } = JSON.parse(new TextDecoder().decode(content)));
    if (version % 2) times.push(spent);
  }
  told.throw = times.sort((a, b) => a - b)[times.length >> 1];
  told.heap = python._module.HEAP8.length / 1e9;
  return told;
}

if (mode === "bare") {
  await load(bare);
  console.log(JSON.stringify({ bare: spentS() }));
} else if (mode === "own") {
  console.log(JSON.stringify(await measure()));
} else {
  const run = (what) =>
    JSON.parse(execFileSync("node", [process.argv[1], site, store ?? "", what], { encoding: "utf8" }));
  const rows = [];
  for (let number = 0; number < RUNS; number += 1) rows.push({ ...run("bare"), ...run("own") });
  for (const row of rows) row.ratio = row.ready / row.bare;
  for (const name of Object.keys(rows[0])) {
    const sorted = rows.map((row) => row[name]).sort((a, b) => a - b);
    console.log(
      name.padEnd(16),
      sorted[RUNS >> 1].toFixed(3),
      `(${sorted[0].toFixed(3)} to ${sorted.at(-1).toFixed(3)})`,
    );
  }
}
