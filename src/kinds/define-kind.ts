/** A kind of post declares its answers; nobody asks its name. */
export type Kind = {
  name: string
  /** The site that takes this kind. */
  site: { slug: string; title: string; tagline: string }
  priceMicros: number
  /** Charged once for each http(s) link in the text. */
  linkSurchargeMicros: number
}

export const defineKind = <const Definition extends Kind>(definition: Definition): Definition => definition
