import type { Kind } from '../../kinds/index.ts'
import { prices } from '../../ledger/prices.ts'

export type Quote = { postMicros: number; linksMicros: number; totalMicros: number; links: string[] }

/** The total price of a new post. */
export function quotePost(kind: Kind, body: object): Quote {
  return quote(kind, kind.priceMicros, kind.chargedLinks(body))
}

/** The price of an edit: the fee, plus the surcharge for links that have not been paid for. */
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

/** The ledger subject for charges: the post or one of its edits. */
export const ledgerSubject = (postId: string, edit: number) => (edit === 0 ? postId : `${postId}/${edit}`)
