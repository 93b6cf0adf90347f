import type { Kind } from '../kinds/index.ts'
import { countWindows } from '../words/count-windows.ts'

/** How much work a post is to moderate. */
export const postWindows = (kind: Kind, body: object): number =>
  countWindows(...kind.texts(body).map(({ text }) => text))
