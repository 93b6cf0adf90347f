import type { Fault } from './fault.ts'

const keys = 'test/accounts/keys.test.ts'
const codes = 'test/oauth/attacks/codes.test.ts'

/** Keys, scopes, owners, staff, apps, drafts and limits. */
export const accessFaults: readonly Fault[] = [
  {
    says: 'A key can do what none of its scopes allows.',
    file: 'src/contract/define-operation.ts',
    find: 'scopesFor(operation).some((scope) => held.includes(scope))',
    replace: 'held.length > 0',
    test: keys,
    name: 'a key with scopes can do only what they allow',
  },
  {
    says: 'A read-only key can publish.',
    file: 'src/calls/admit.ts',
    find: "known.isReadOnly && operation.method !== 'GET'",
    replace: "known.isReadOnly && operation.method === 'DELETE'",
    test: keys,
    name: 'a read-only key reads and searches within its cap, and changes nothing',
  },
  {
    says: 'The status of another account’s post can be read.',
    file: 'src/posts/status/read-post-status.ts',
    find: "    .where('account_id', '=', accountId)\n    .where('kind', '=', kind)\n",
    replace: "    .where('kind', '=', kind)\n",
    test: 'test/posts/own-posts.test.ts',
    name: 'another account’s post is unknown until it is published',
  },
  {
    says: 'A form of another site acts as the owner: the CSRF token is not compared.',
    file: 'src/web-pages/csrf.ts',
    find: "holder !== '' && isCsrfTokenOf(holder, given)",
    replace: "holder !== ''",
    test: 'test/owner-page/security.test.ts',
    name: 'without its token, with another session’s token or from another site, no owner form does anything',
  },
  {
    says: 'Every member of staff can do what only an admin may.',
    file: 'src/desk/guard.ts',
    find: "return mayDo(session.member.role, needs) ? null : 'role'",
    replace: 'return null',
    test: 'test/desk/authorisation.test.ts',
    name: 'requests that need a higher role are refused and do nothing',
  },
  {
    says: 'One address can create one account more than its daily limit.',
    file: 'src/accounts/allowances.ts',
    find: ".where('allowance_uses.used', '<', max)",
    replace: ".where('allowance_uses.used', '<=', max)",
    test: 'test/journeys/accounts/create-too-many-accounts.test.ts',
    name: 'of ten accounts requested at once, an address with a limit of three gets three',
  },
  {
    says: 'A draft that has expired can be approved.',
    file: 'src/drafts/decide-drafts.ts',
    find: ' and expires_at > ${at}\n',
    replace: ' and ${at}::timestamptz is not null\n',
    test: 'test/drafts/limits.test.ts',
    name: 'an expired draft cannot be approved before the sweep has found it',
  },
  {
    says: 'A key whose posts need approval publishes without it.',
    file: 'src/posts/operations.ts',
    find: 'if (!needsApproval && query.publish_at === undefined)',
    replace: 'if (query.publish_at === undefined)',
    test: 'test/drafts/api.test.ts',
    name: 'a post that needs approval is a draft that costs nothing, until the owner approves it',
  },
  {
    says: 'A stolen OAuth code can be exchanged: the PKCE verifier is not compared.',
    file: 'src/oauth/token.ts',
    find: 'return expected.length === sent.length && timingSafeEqual(expected, sent)',
    replace: 'return expected.length === sent.length',
    test: codes,
    name: 'a stolen code fails with the verifier of the attacker’s own request',
  },
  {
    says: 'An OAuth code works twice.',
    file: 'src/oauth/token.ts',
    find: 'if (row.session_id) return replayed(tx, row.session_id, at)\n',
    replace: '\n',
    test: codes,
    name: 'the second use of a code fails and ends every token of the first',
  },
  {
    says: 'All secrets are encrypted with the same nonce.',
    file: 'src/platform/sealing.ts',
    find: 'randomBytes(nonceBytes)',
    replace: 'Buffer.alloc(nonceBytes)',
    test: 'src/platform/sealing.test.ts',
    name: 'an encrypted secret can be decrypted, and each encryption differs',
  },
  {
    says: 'A caller chooses the address that its limits are counted by.',
    file: 'src/http/client-address.ts',
    find: "isFromGateway ? headers['x-forwarded-for'] : undefined",
    replace: "isFromGateway || true ? headers['x-forwarded-for'] : undefined",
    test: 'src/http/client-address.test.ts',
    name: 'an address header is trusted only from the gateway',
  },
]
