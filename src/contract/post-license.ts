/**
 * How anyone may use the text of posts. Every header, document, page and feed that says so is written from this, so
 * that they cannot contradict each other. Only print.css and texts in Markdown repeat the name, and a test compares them.
 */
export const postLicense = {
  /** Its SPDX identifier. */
  id: 'CC-BY-4.0',
  name: 'CC BY 4.0',
  url: 'https://creativecommons.org/licenses/by/4.0/',
  /** What machines may do with a post, in the terms of RSL 1.0. */
  uses: { search: true, 'ai-input': true, 'ai-train': true, 'ai-index': true },
  /** What they give in return, in the terms of RSL 1.0: credit. */
  payment: 'attribution',
} as const

/** The licence in JSON. */
export const licenseRecord = { id: postLicense.id, url: postLicense.url }

/** The licence in RSL, on every site. */
export const rslFile = { path: 'license.xml', mediaType: 'application/rsl+xml' } as const

const usesThatAre = (allowed: boolean) =>
  Object.entries(postLicense.uses).flatMap(([use, isAllowed]) => (isAllowed === allowed ? [use] : []))

/** The uses of RSL, separated by spaces. */
export const permittedUses = usesThatAre(true).join(' ')
export const prohibitedUses = usesThatAre(false).join(' ')

const yesOrNo = (isAllowed: boolean) => (isAllowed ? 'yes' : 'no')
const yOrN = (isAllowed: boolean) => yesOrNo(isAllowed).charAt(0)

const { search, 'ai-input': input, 'ai-train': training } = postLicense.uses

/** Cloudflare's syntax, for robots.txt. */
export const contentSignal = `search=${yesOrNo(search)}, ai-input=${yesOrNo(input)}, ai-train=${yesOrNo(training)}`

/** The syntax of the IETF's drafts, for the header Content-Usage. They have no term for AI input. */
export const contentUsage = `train-ai=${yOrN(training)}, search=${yOrN(search)}`

/** The value of the header Link: the licence for people and for machines. */
export const licenseLinks = (baseUrl: string) =>
  `<${postLicense.url}>; rel="license", <${baseUrl}/${rslFile.path}>; rel="license"; type="${rslFile.mediaType}"`
