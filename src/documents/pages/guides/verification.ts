import { exampleAccount } from '../../../accounts/account-record.ts'
import { domainRefusals } from '../../../accounts/domain/domain-record.ts'
import { domainFile } from '../../../contract/domain-limits.ts'
import { allowances } from '../../../contract/limits.ts'
import { examplePostId } from '../../../posts/status/status-record.ts'
import type { DocumentSite } from '../document-site.ts'
import { exampleFences } from '../examples/call-fences.ts'
import { readSnippet, type TextFacts } from '../fill.ts'
import { codeFence, jsonFence, markdownTable } from '../markdown-parts.ts'

export function verificationFacts(site: DocumentSite): TextFacts {
  const { baseUrl } = site
  const address = `${baseUrl}/p/${examplePostId}`
  return {
    post_url: address,
    by_hand: codeFence('ts', readSnippet('verify-post.mts')),
    signature: jsonFence({ signature: exampleSignature }),
    max_accounts: String(domainFile.maxAccounts),
    max_kilobytes: String(domainFile.maxBytes / 1_024),
    timeout_seconds: String(domainFile.timeoutMs / 1_000),
    domain_file: jsonFence({ accounts: [exampleAccount.id] }),
    set_domain: exampleFences(site, 'setDomain'),
    checks_per_account: String(allowances['domain-checks-per-account'].max),
    checks_per_domain: String(allowances['domain-checks-per-domain'].max),
    domain_refusals: markdownTable(
      ['Code', 'Meaning'],
      Object.entries(domainRefusals).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  }
}

/** The signature of the test vector in the specification of the log. */
const exampleSignature = {
  alg: 'Ed25519',
  key_id: 'WeVHjIQTOLKu-P74oC-WL-MNn_sLM5CvrzuMjDFC3-s',
  created_at: '2026-11-16T00:00:01.000Z',
  value: 'J14TEB0Nt-ctgOKnV6SejnOsBY0waNgDgiGhHJXUN5KCX7DctaUc-zhNzZsvoq0xn08ziGqzGFrMozJUFz7QAQ',
}
