// Bakes a level with the Recast library that Debian packages and answers
// queries with Detour, so that wend can be compared with it in one run on one
// machine. Settings are those of wend's profile "human", one tile.
//
//   recast LEVEL.obj SCALE QUERIES.csv RUNS
//
// prints one line of JSON: bake time per stage (the best of RUNS), query times
// in microseconds, and counts to tell that both sides did the same work.
#include <Recast.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point t) {
	return std::chrono::duration<double, std::micro>(Clock::now() - t).count();
}

struct Level {
	std::vector<float> verts;
	std::vector<int> tris;
};

static bool readLevel(const char* path, float scale, Level& out) {
	std::ifstream in(path);
	if (!in) return false;
	std::string line;
	while (std::getline(in, line)) {
		std::istringstream s(line);
		std::string key;
		s >> key;
		if (key == "v") {
			float x, y, z;
			s >> x >> y >> z;
			out.verts.insert(out.verts.end(), {x * scale, y * scale, z * scale});
		} else if (key == "f") {
			std::vector<int> corner;
			std::string word;
			while (s >> word) {
				int v = std::atoi(word.c_str());
				corner.push_back(v > 0 ? v - 1 : int(out.verts.size() / 3) + v);
			}
			for (size_t i = 2; i < corner.size(); ++i)
				out.tris.insert(out.tris.end(), {corner[0], corner[i - 1], corner[i]});
		}
	}
	return !out.tris.empty();
}

static const char* stageName[] = {"rasterise", "filter", "compact", "erode", "regions", "contours", "polygons", "detail", "tile"};
static const int stages = 9;

struct Bake {
	double us[stages] = {};
	double total = 0;
	unsigned char* data = nullptr;
	int size = 0, polys = 0;
};

static Bake bake(const Level& level) {
	Bake b;
	rcContext ctx(false);
	rcConfig cfg{};
	cfg.cs = 0.3f;
	cfg.ch = 0.2f;
	cfg.walkableSlopeAngle = 45;
	cfg.walkableHeight = 10;
	cfg.walkableClimb = 4;
	cfg.walkableRadius = 2;
	cfg.maxEdgeLen = 40;
	cfg.maxSimplificationError = 1.3f;
	cfg.minRegionArea = 64;
	cfg.mergeRegionArea = 400;
	cfg.maxVertsPerPoly = 6;
	cfg.detailSampleDist = 6 * cfg.cs;
	cfg.detailSampleMaxError = cfg.ch;
	const int nv = int(level.verts.size() / 3), nt = int(level.tris.size() / 3);
	rcCalcBounds(level.verts.data(), nv, cfg.bmin, cfg.bmax);
	rcCalcGridSize(cfg.bmin, cfg.bmax, cfg.cs, &cfg.width, &cfg.height);

	auto start = Clock::now(), last = start;
	int stage = 0;
	auto done = [&] {
		b.us[stage++] = since(last);
		last = Clock::now();
	};
	rcHeightfield* solid = rcAllocHeightfield();
	rcCreateHeightfield(&ctx, *solid, cfg.width, cfg.height, cfg.bmin, cfg.bmax, cfg.cs, cfg.ch);
	std::vector<unsigned char> areas(nt, 0);
	rcMarkWalkableTriangles(&ctx, cfg.walkableSlopeAngle, level.verts.data(), nv, level.tris.data(), nt, areas.data());
	rcRasterizeTriangles(&ctx, level.verts.data(), nv, level.tris.data(), areas.data(), nt, *solid, cfg.walkableClimb);
	done();
	rcFilterLowHangingWalkableObstacles(&ctx, cfg.walkableClimb, *solid);
	rcFilterLedgeSpans(&ctx, cfg.walkableHeight, cfg.walkableClimb, *solid);
	rcFilterWalkableLowHeightSpans(&ctx, cfg.walkableHeight, *solid);
	done();
	rcCompactHeightfield* chf = rcAllocCompactHeightfield();
	rcBuildCompactHeightfield(&ctx, cfg.walkableHeight, cfg.walkableClimb, *solid, *chf);
	done();
	rcErodeWalkableArea(&ctx, cfg.walkableRadius, *chf);
	done();
	rcBuildDistanceField(&ctx, *chf);
	rcBuildRegions(&ctx, *chf, 0, cfg.minRegionArea, cfg.mergeRegionArea);
	done();
	rcContourSet* cset = rcAllocContourSet();
	rcBuildContours(&ctx, *chf, cfg.maxSimplificationError, cfg.maxEdgeLen, *cset);
	done();
	rcPolyMesh* mesh = rcAllocPolyMesh();
	rcBuildPolyMesh(&ctx, *cset, cfg.maxVertsPerPoly, *mesh);
	done();
	rcPolyMeshDetail* detail = rcAllocPolyMeshDetail();
	rcBuildPolyMeshDetail(&ctx, *mesh, *chf, cfg.detailSampleDist, cfg.detailSampleMaxError, *detail);
	done();
	for (int i = 0; i < mesh->npolys; ++i) {
		if (mesh->areas[i] == RC_WALKABLE_AREA) mesh->areas[i] = 0;
		mesh->flags[i] = 1;
	}
	dtNavMeshCreateParams p{};
	p.verts = mesh->verts;
	p.vertCount = mesh->nverts;
	p.polys = mesh->polys;
	p.polyAreas = mesh->areas;
	p.polyFlags = mesh->flags;
	p.polyCount = mesh->npolys;
	p.nvp = mesh->nvp;
	p.detailMeshes = detail->meshes;
	p.detailVerts = detail->verts;
	p.detailVertsCount = detail->nverts;
	p.detailTris = detail->tris;
	p.detailTriCount = detail->ntris;
	p.walkableHeight = 2.0f;
	p.walkableRadius = 0.6f;
	p.walkableClimb = 0.9f;
	std::memcpy(p.bmin, mesh->bmin, sizeof p.bmin);
	std::memcpy(p.bmax, mesh->bmax, sizeof p.bmax);
	p.cs = cfg.cs;
	p.ch = cfg.ch;
	p.buildBvTree = true;
	if (!dtCreateNavMeshData(&p, &b.data, &b.size)) b.data = nullptr;
	b.polys = mesh->npolys;
	done();
	b.total = since(start);
	rcFreeHeightField(solid);
	rcFreeCompactHeightfield(chf);
	rcFreeContourSet(cset);
	rcFreePolyMesh(mesh);
	rcFreePolyMeshDetail(detail);
	return b;
}

static double percentile(std::vector<double> v, double p) {
	if (v.empty()) return 0;
	std::sort(v.begin(), v.end());
	return v[std::min(v.size() - 1, size_t(p * double(v.size())))];
}

int main(int argc, char** argv) {
	if (argc != 5) {
		std::fprintf(stderr, "usage: recast LEVEL.obj SCALE QUERIES.csv RUNS\n");
		return 2;
	}
	Level level;
	if (!readLevel(argv[1], float(std::atof(argv[2])), level)) {
		std::fprintf(stderr, "cannot read %s\n", argv[1]);
		return 1;
	}
	const int runs = std::max(1, std::atoi(argv[4]));
	Bake best;
	for (int i = 0; i < runs; ++i) {
		Bake b = bake(level);
		if (!best.data || b.total < best.total) {
			dtFree(best.data);
			best = b;
		} else {
			dtFree(b.data);
		}
	}
	if (!best.data) {
		std::fprintf(stderr, "the bake failed\n");
		return 1;
	}
	dtNavMesh nav;
	nav.init(best.data, best.size, DT_TILE_FREE_DATA);
	dtNavMeshQuery query;
	query.init(&nav, 2048);
	dtQueryFilter filter;
	const float ext[3] = {2, 4, 2};

	std::ifstream in(argv[3]);
	std::string line;
	std::getline(in, line); // header: id,sx,sy,sz,gx,gy,gz,...
	struct Q {
		float s[3], g[3];
	};
	std::vector<Q> queries;
	while (std::getline(in, line)) {
		Q q;
		int id;
		if (std::sscanf(line.c_str(), "%d,%f,%f,%f,%f,%f,%f", &id, &q.s[0], &q.s[1], &q.s[2], &q.g[0], &q.g[1], &q.g[2]) == 7)
			queries.push_back(q);
	}
	int complete = 0;
	double length = 0;
	std::vector<double> us;
	for (int pass = 0; pass < 2; ++pass) { // the first warms up
		us.clear();
		complete = 0;
		length = 0;
		for (const Q& q : queries) {
			auto t = Clock::now();
			dtPolyRef a = 0, b = 0;
			float pa[3], pb[3];
			query.findNearestPoly(q.s, ext, &filter, &a, pa);
			query.findNearestPoly(q.g, ext, &filter, &b, pb);
			dtPolyRef polys[256];
			float points[256 * 3];
			int n = 0, m = 0;
			dtStatus st = 0;
			if (a && b) {
				st = query.findPath(a, b, pa, pb, &filter, polys, &n, 256);
				if (n > 0) {
					float end[3] = {pb[0], pb[1], pb[2]};
					if (polys[n - 1] != b) query.closestPointOnPoly(polys[n - 1], pb, end, nullptr);
					query.findStraightPath(pa, end, polys, n, points, nullptr, nullptr, &m, 256);
				}
			}
			us.push_back(since(t));
			if (n > 0 && polys[n - 1] == b && !dtStatusDetail(st, DT_PARTIAL_RESULT)) {
				++complete;
				for (int i = 1; i < m; ++i) {
					float dx = points[3 * i] - points[3 * i - 3], dy = points[3 * i + 1] - points[3 * i - 2], dz = points[3 * i + 2] - points[3 * i - 1];
					length += std::sqrt(double(dx * dx + dy * dy + dz * dz));
				}
			}
		}
	}
	std::printf("{\"peer\":\"recast (C++)\",\"bake_us\":{");
	for (int i = 0; i < stages; ++i) std::printf("\"%s\":%.0f,", stageName[i], best.us[i]);
	std::printf("\"total\":%.0f},\"polys\":%d,\"queries\":%zu,\"complete\":%d,\"length\":%.3f,\"query_us\":{\"p50\":%.2f,\"p99\":%.2f}}\n",
		best.total, best.polys, queries.size(), complete, length, percentile(us, 0.5), percentile(us, 0.99));
	return 0;
}
