import type { Kind } from '../../kinds/index.ts'
import { prices } from '../../ledger/prices.ts'

export type Quote = { postMicros: number; linksMicros: number; totalMicros: number; links: string[] }

/** What a new post costs, all of it. */
export function quotePost(kind: Kind, body: object): Quote {
  return quote(kind, kind.priceMicros, kind.chargedLinks(body))
}

/** What a change costs: the fee, and the surcharge for links that were not paid before. */
export function quoteEdit(kind: Kind, body: object, paidLinks: readonly string[]): Quote {
  const paid = [...paidLinks]
  const added = kind.chargedLinks(body).filter((link) => {
    const index = paid.indexOf(link)
    if (index >= 0) paid.splice(index, 1)
    return index < 0
  })
  return quote(kind, prices.editMicros, added)
}

function quote(kind: Kind, postMicros: number, links: string[]): Quote {
  const linksMicros = links.length * kind.linkSurchargeMicros
  return { postMicros, linksMicros, totalMicros: postMicros + linksMicros, links }
}

/** What the ledger books a post's charges under: the post itself, or one of its edits. */
export const ledgerSubject = (postId: string, edit: number) => (edit === 0 ? postId : `${postId}/${edit}`)
