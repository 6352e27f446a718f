// Bakes a level and answers queries with the npm package recast-navigation
// (Recast and Detour compiled to wasm). Same settings, same queries and same
// line of JSON as the C++ program beside it.
//
//   node main.mjs LEVEL.obj SCALE QUERIES.csv RUNS
import fs from 'node:fs';
import { init, NavMeshQuery } from 'recast-navigation';
import { generateSoloNavMesh } from 'recast-navigation/generators';

const [, , levelPath, scaleText, queryPath, runsText] = process.argv;
if (!runsText) {
  console.error('usage: node main.mjs LEVEL.obj SCALE QUERIES.csv RUNS');
  process.exit(2);
}
await init();

const scale = Number(scaleText);
const positions = [];
const indices = [];
for (const line of fs.readFileSync(levelPath, 'utf8').split('\n')) {
  const w = line.trim().split(/\s+/);
  if (w[0] === 'v') {
    for (let i = 1; i <= 3; i++) positions.push(Math.fround(Number(w[i]) * scale));
  } else if (w[0] === 'f') {
    const c = w.slice(1).map((s) => {
      const v = parseInt(s, 10);
      return v > 0 ? v - 1 : positions.length / 3 + v;
    });
    for (let i = 2; i < c.length; i++) indices.push(c[0], c[i - 1], c[i]);
  }
}

const config = {
  cs: 0.3, ch: 0.2, walkableSlopeAngle: 45, walkableHeight: 10, walkableClimb: 4, walkableRadius: 2,
  maxEdgeLen: 40, maxSimplificationError: 1.3, minRegionArea: 8, mergeRegionArea: 20,
  maxVertsPerPoly: 6, detailSampleDist: 6, detailSampleMaxError: 1,
};
let best = Infinity;
let navMesh;
for (let i = 0; i < Number(runsText); i++) {
  const t = performance.now();
  const r = generateSoloNavMesh(positions, indices, config);
  const us = (performance.now() - t) * 1000;
  if (!r.success) {
    console.error(r.error);
    process.exit(1);
  }
  best = Math.min(best, us);
  navMesh?.destroy();
  navMesh = r.navMesh;
}
let polys = 0;
for (let i = 0; i < navMesh.getMaxTiles(); i++) polys += navMesh.getTile(i).header()?.polyCount() ?? 0;

const query = new NavMeshQuery(navMesh, { maxNodes: 2048 });
const halfExtents = { x: 2, y: 4, z: 2 };
const rows = fs.readFileSync(queryPath, 'utf8').trim().split('\n').slice(1).map((l) => l.split(',').map(Number));

let complete = 0;
let length = 0;
let us = [];
for (let pass = 0; pass < 2; pass++) { // the first warms up
  complete = 0;
  length = 0;
  us = [];
  for (const [, sx, sy, sz, gx, gy, gz] of rows) {
    const t = performance.now();
    const a = query.findNearestPoly({ x: sx, y: sy, z: sz }, { halfExtents });
    const b = query.findNearestPoly({ x: gx, y: gy, z: gz }, { halfExtents });
    let done = false;
    let points = [];
    if (a.success && b.success && a.nearestRef && b.nearestRef) {
      const p = query.findPath(a.nearestRef, b.nearestRef, a.nearestPoint, b.nearestPoint);
      const n = p.polys.size;
      if (p.success && n > 0) {
        done = p.polys.get(n - 1) === b.nearestRef;
        const s = query.findStraightPath(a.nearestPoint, b.nearestPoint, p.polys);
        for (let i = 0; i < s.straightPathCount; i++) {
          points.push([s.straightPath.get(3 * i), s.straightPath.get(3 * i + 1), s.straightPath.get(3 * i + 2)]);
        }
        s.straightPath.destroy();
        s.straightPathFlags.destroy();
        s.straightPathRefs.destroy();
      }
      p.polys.destroy();
    }
    us.push((performance.now() - t) * 1000);
    if (done) {
      complete++;
      for (let i = 1; i < points.length; i++) {
        length += Math.hypot(...points[i].map((v, k) => v - points[i - 1][k]));
      }
    }
  }
}
us.sort((a, b) => a - b);
const at = (p) => us[Math.min(us.length - 1, Math.floor(p * us.length))].toFixed(2);
console.log(`{"peer":"recast-navigation (wasm)","bake_us":{"total":${best.toFixed(0)}},"polys":${polys},"queries":${rows.length},` +
  `"complete":${complete},"length":${length.toFixed(3)},"query_us":{"p50":${at(0.5)},"p99":${at(0.99)}}}`);
