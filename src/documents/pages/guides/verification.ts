import { examplePostId } from '../../../posts/status/status-record.ts'
import type { DocumentSite } from '../document-site.ts'
import { readSnippet, type TextFacts } from '../fill.ts'
import { codeFence, jsonFence } from '../markdown-parts.ts'

export function verificationFacts({ baseUrl }: DocumentSite): TextFacts {
  const address = `${baseUrl}/p/${examplePostId}`
  return {
    post_url: address,
    by_hand: codeFence('ts', readSnippet('verify-post.mts')),
    signature: jsonFence({ signature: exampleSignature }),
  }
}

/** The signature of the test vector in the specification of the log. */
const exampleSignature = {
  alg: 'Ed25519',
  key_id: 'WeVHjIQTOLKu-P74oC-WL-MNn_sLM5CvrzuMjDFC3-s',
  created_at: '2026-11-16T00:00:01.000Z',
  value: 'J14TEB0Nt-ctgOKnV6SejnOsBY0waNgDgiGhHJXUN5KCX7DctaUc-zhNzZsvoq0xn08ziGqzGFrMozJUFz7QAQ',
}
