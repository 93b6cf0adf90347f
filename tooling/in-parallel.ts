/** Few at a time: the gateway is on the same machine. */
const atOnce = 8

/** Does the work for all items, a few at a time, and keeps their order. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = [...items.entries()]
  const lane = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) results[one[0]] = await work(one[1])
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}
