import { postPageRoutes } from './post-page.ts'
import { posts } from './posts-page.ts'

export const postRoutes = [posts, ...postPageRoutes]
