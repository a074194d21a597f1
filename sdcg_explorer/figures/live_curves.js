// Curves from grade counts, as sdcg_explorer/scoring/mean_curves.py makes them. No formula of a discount is here: d(r)
// and D(q) come as tables from the server. Nothing touches the page, so that a test can hold every
// curve to the server's own.

/** Gains (K, Q, R) of the counts (K, Q, R, L) under weights, kept while only b and bq move. */
function gained(d, weights) {
  const key = weights.join()
  if (d.gainedFor !== key) {
    const labels = weights.length
    const gains = (d.gains ??= new Float64Array(d.grades.length / labels))
    for (let i = 0, at = 0; i < gains.length; i++) {
      let sum = 0
      for (let l = 0; l < labels; l++, at++) if (d.grades[at]) sum += d.grades[at] * weights[l]
      gains[i] = sum
    }
    d.gainedFor = key
  }
  return d.gains
}

/** Mean worth by rank of each group of queries: each query's gains by its D(q), then DCG. */
function ofQueries(d, { rank, query, weights }) {
  const [K, Q, R] = d.shape
  const gains = gained(d, weights)
  return Array.from({ length: K }, (_, k) => {
    const curve = new Float64Array(d.depth)
    for (let q = 0; q < Q; q++) {
      for (let r = 0; r < R; r++) curve[r] += gains[(k * Q + q) * R + r] * (d.discounted ? query[q] : 1)
    }
    for (let r = 0, sum = 0; r < d.depth; r++) curve[r] = (sum += curve[r] * (rank[r] ?? 0)) / d.over[k]
    return curve
  })
}

/**
 * Best list of each topic: gains of its judged documents, largest first, without zeros. Documents
 * with several grades, which searchers gave them, are worth the best.
 */
function bestLists(judged, given, labelled, depth) {
  const weights = given ? given.map((labels) => Math.max(...labels.map((l) => labelled[l]))) : labelled
  const order = weights.map((_, l) => l).sort((x, y) => weights[y] - weights[x])
  return judged.map((counts) => {
    const best = []
    for (const l of order) {
      for (let i = 0; i < counts[l] && best.length < depth && weights[l] > 0; i++) best.push(weights[l])
    }
    return best
  })
}

/** Layouts as paths in a tree of their queries: what begins alike has one ideal so far. */
function tree(d) {
  const nodes = []
  const places = new Map()
  const paths = d.topics.map((topics, y) => {
    const path = []
    let at = ""
    for (let q = 0; q < topics.length && d.cells[y][q] >= 0; q++) {
      const asked = q < d.queries[y]
      at += `${topics[q]}:${d.cells[y][q]}:${asked},`
      if (!places.has(at)) {
        const node = { parent: path[q - 1] ?? -1, q, topic: topics[q], cells: d.cells[y][q], asked }
        places.set(at, nodes.push(node) - 1)
      }
      path.push(places.get(at))
    }
    return path
  })
  return { nodes, paths }
}

/** I at each cell of every node. */
function ideals(d, rank, query) {
  for (const node of d.tree.nodes) {
    const parent = d.tree.nodes[node.parent]
    const list = d.best[node.topic] ?? []
    node.ideal ??= new Float64Array(node.cells)
    const factors = rank.subarray(0, node.cells).map((factor) => factor * query[node.q])
    node.end = (d.ideal === "repeated" ? repeated : spread)(node, parent, list, factors)
  }
}

function repeated(node, parent, list, factors) {
  let sum = parent?.end ?? 0
  for (let r = 0; r < node.cells; r++) node.ideal[r] = sum += (list[r] ?? 0) * factors[r]
  return sum
}

/** Each judged document once: the k-th best has the k-th largest factor of its topic so far. */
function spread(node, parent, list, factors) {
  let sum = parent?.end ?? 0
  node.largest = new Map(parent?.largest)
  const largest = Array.from(node.largest.get(node.topic) ?? [])
  node.largest.set(node.topic, largest)
  for (let r = 0; r < node.cells; r++) {
    let at = largest.length
    while (at > 0 && largest[at - 1] < factors[r]) at--
    if (at < list.length) {
      for (let k = at; k < largest.length; k++) sum -= list[k] * largest[k]
      largest.splice(at, 0, factors[r])
      largest.length = Math.min(largest.length, list.length)
      for (let k = at; k < largest.length; k++) sum += list[k] * largest[k]
    }
    node.ideal[r] = sum
  }
  return sum
}

/** Mean curve of each system's sessions, position by position: raw, a share, or query by query. */
function ofSessions(d, { rank, query, weights }) {
  const [K] = d.shape
  gained(d, weights)
  d.tree ??= tree(d)
  if (d.bestFor !== d.gainedFor) {
    d.best = bestLists(d.judged, d.given, weights, d.top * d.shape[1])
    d.bestFor = d.gainedFor
  }
  if (d.measure !== "raw" || d.withIdeal) ideals(d, rank, query)
  const curves = Array.from({ length: d.curves }, () => new Float64Array(d.positions))
  const over = Array.from({ length: d.curves }, () => new Float64Array(d.positions))
  const walk = d.bounds ? spending : d.measure === "saw-tooth" ? sawTooth : running
  for (let k = 0; k < K; k++) walk(d, k, curves[d.curve[k]], over[d.curve[k]], rank, query)
  const means = curves.map((sum, c) => sum.map((value, p) => (over[c][p] ? value / over[c][p] : NaN)))
  return d.withIdeal ? [...means, alongside(d)] : means
}

/** A group's V, or V / I, added to its system's; after its last query a session keeps its value. */
function running(d, k, sum, over, rank, query) {
  const [, Q, R] = d.shape
  const [raw, ratio] = [d.measure === "raw", d.average === "ratio-of-means"]
  let [V, I, p] = [0, 0, 0]
  const put = () => {
    if (raw || I > 0) {
      sum[p] += raw || ratio ? V : V / I
      over[p] += !raw && ratio ? d.over[k] * I : d.over[k]
    }
    p++
  }
  for (const place of d.tree.paths[d.layout[k]]) {
    const node = d.tree.nodes[place]
    for (let r = 0; r < node.cells && p < d.positions; r++) {
      if (node.asked && r < R) V += d.gains[(k * Q + node.q) * R + r] * (query[node.q] * rank[r])
      if (!raw) I = node.ideal[r]
      put()
    }
  }
  while (p < d.positions) put()
}

/** A session's V, or V / I, after no query, one, …: each holds from one of its bounds to the next. */
function spending(d, k, sum, over, rank, query) {
  const [, Q, R] = d.shape
  const [raw, ratio] = [d.measure === "raw", d.average === "ratio-of-means"]
  const nodes = d.tree.paths[d.layout[k]].map((place) => d.tree.nodes[place])
  const put = (number, V, I) => {
    if (!raw && !(I > 0)) return
    const [from, to] = d.bounds.subarray(k * (Q + 2) + number, k * (Q + 2) + number + 2)
    for (let p = from; p < to; p++) {
      sum[p] += raw || ratio ? V : V / I
      over[p] += !raw && ratio ? I : 1
    }
  }
  if (raw || !ratio) put(0, 0, nodes[0]?.end)
  let V = 0
  nodes.forEach((node, q) => {
    for (let r = 0; r < R; r++) V += d.gains[(k * Q + q) * R + r] * (query[q] * rank[r])
    put(q + 1, V, node.end)
  })
}

/** D(q)·nDCG(q) of each query after the other; nothing after a session's last. */
function sawTooth(d, k, sum, over, rank, query) {
  const [, Q, R] = d.shape
  let p = 0
  for (const place of d.tree.paths[d.layout[k]]) {
    const { q, cells, topic, asked } = d.tree.nodes[place]
    const list = d.best[topic] ?? []
    for (let r = 0, worth = 0, best = 0; r < cells && p < d.positions && asked; r++, p++) {
      if (r < R) worth += d.gains[(k * Q + q) * R + r] * rank[r]
      best += (list[r] ?? 0) * rank[r]
      if (!(best > 0)) continue
      sum[p] += (worth / best) * query[q]
      over[p] += d.over[k]
    }
  }
}

/** I of the one session of a figure that shows it beside V. */
function alongside(d) {
  const values = d.tree.paths[d.layout[0]].flatMap((place) => Array.from(d.tree.nodes[place].ideal))
  return Float64Array.from({ length: d.positions }, (_, p) => values[Math.min(p, values.length - 1)] ?? 0)
}

/** One document's gain, after the rank discount, and after the query discount of each query. */
function ofDocument(d, { rank, query, weights }) {
  const gain = weights.length ? Math.max(...weights) : 1
  const byRank = gain * rank[d.at - 1]
  return d.queries.map((q) => [gain, byRank, byRank * query[q - 1]])
}

const KINDS = { queries: ofQueries, sessions: ofSessions, document: ofDocument }

/** Every curve of a figure's counts under the numbers in force: rank and query factors, weights. */
export const curves = (d, numbers) => KINDS[d.kind](d, numbers)

const ARRAYS = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array }

/** What deflated base64 holds, as a response. */
export function inflated(data, form = "deflate") {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(form)))
}

/** An array as it was packed: of numbers of eight bytes all first bytes, then all second ones. */
async function array({ data, type }) {
  const bytes = new Uint8Array(await inflated(data).arrayBuffer())
  if (type !== "float64") return new ARRAYS[type](bytes.buffer)
  const count = bytes.length / 8
  return new Float64Array(bytes.map((_, i) => bytes[(i % 8) * count + (i >> 3)]).buffer)
}

/** Data with the arrays that were packed in it. */
export async function unpacked(data) {
  const inflate = async ([name, value]) => [name, value?.type ? await array(value) : value]
  return Object.fromEntries(await Promise.all(Object.entries(data).map(inflate)))
}
