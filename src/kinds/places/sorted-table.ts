/** Finds a row by the integer in its first column. */
export type SortedTable = { find: (id: number) => string[] | undefined }

const [newline, tab, zero] = [10, 9, 48]
/** A digit, a tab, a letter and a line break. */
const shortestRow = 4

/**
 * A table of tab-separated lines, sorted by the integer in the first column. Rows stay bytes until they are requested:
 * 135,000 cities as objects would take 67 MB of heap in each process.
 */
export function sortedTable(bytes: Buffer): SortedTable {
  const { ids, starts } = indexRows(bytes)
  return {
    find: (id) => {
      const row = searchByHalves(ids, id)
      if (ids[row] !== id) return undefined
      return bytes.toString('utf8', starts[row], bytes.indexOf(newline, starts[row])).split('\t').slice(1)
    },
  }
}

/** Reads the number at the start of each row and the row's offset, in one pass. */
function indexRows(bytes: Buffer): { ids: Uint32Array; starts: Uint32Array } {
  const most = bytes.length / shortestRow
  const [ids, starts] = [new Uint32Array(most), new Uint32Array(most)]
  let rows = 0
  for (let at = 0; at < bytes.length; at++, rows++) {
    starts[rows] = at
    let id = 0
    for (; at < bytes.length && bytes[at] !== tab; at++) id = id * 10 + (bytes[at] ?? 0) - zero
    ids[rows] = id
    while (at < bytes.length && bytes[at] !== newline) at++
  }
  return { ids: ids.slice(0, rows), starts: starts.slice(0, rows) }
}

/** The first index whose number is not less than the one sought. */
function searchByHalves(numbers: Uint32Array, sought: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < sought) low = middle + 1
    else high = middle
  }
  return low
}
