type Page<Item> = { data: Item[]; next_cursor: string | null }

/** The items of all pages. It reads a page when the loop needs it. */
export async function* itemsOf<Item, Query extends object>(
  list: (query: Query) => Promise<Page<Item>>,
  query: Query,
  /** The query parameter that takes the cursor. */
  name = 'cursor',
): AsyncGenerator<Item, void, undefined> {
  for (let page = await list(query); ; ) {
    yield* page.data
    if (page.next_cursor === null) return
    page = await list({ ...query, [name]: page.next_cursor })
  }
}
