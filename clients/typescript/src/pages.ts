type Page<Item> = { data: Item[]; next_cursor?: string | null }

/** The items of all pages. It reads a page when the loop needs it. */
export async function* itemsOf<Item, Query extends object>(
  list: (query: Query) => Promise<Page<Item>>,
  query: Query,
  /** The query parameter that takes the cursor. */
  name = 'cursor',
): AsyncGenerator<Item, void, undefined> {
  for (let next = query; ; ) {
    const { data, next_cursor } = await list(next)
    yield* data
    // The same cursor again would lead to the same page for ever.
    if (!next_cursor || next_cursor === (next as Record<string, unknown>)[name]) return
    next = { ...query, [name]: next_cursor }
  }
}
