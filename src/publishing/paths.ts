/** The folder of a post's files: by its last two characters, which are random, a site has 1,024 of them. */
export const postFile = (postId: string, form: string) => `p/${postId.slice(-2)}/${postId}.${form}`

/** The file of a shelf: `index.html`, `topics/ferries/feed.xml`. */
export const shelfFile = (path: string, name: string) => (path === '' ? name : `${path}/${name}`)

export const archiveFile = (month: string, page: number) => `archive/${month}/${page}/index.html`

export const sitemapFile = (month: string, shard: number) => `sitemaps/${month}-${shard}.xml`
