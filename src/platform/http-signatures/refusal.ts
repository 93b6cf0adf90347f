/** Why a signature or a directory is refused. The codes are stored and shown; they contain nothing that was sent. */
export const agentRefusals = {
  malformed_header: 'Signature-Agent, Signature-Input or Signature is not a valid dictionary.',
  too_large:
    'Signature-Agent, Signature-Input, Signature or Content-Digest is longer than 8,192 characters, or has more than 16 members, components or parameters, or the signature covers more than 8,192 characters.',
  repeated_name: 'A label, a parameter or a covered component appears twice.',
  no_signature: 'No signature in Signature-Input has the tag web-bot-auth, or Signature has no value for its label.',
  ambiguous: 'Several signatures have the tag web-bot-auth, or several members of Signature-Agent are covered.',
  agent_url_refused:
    'Signature-Agent must be the https URL of a public host that ends with /.well-known/http-message-signatures-directory, without a port, user name, query or fragment.',
  missing_parameter: 'created, expires, keyid or nonce is missing or has the wrong type.',
  wrong_algorithm: 'alg must be ed25519, or be left out.',
  created_in_future: 'created is in the future. Check the clock.',
  expired: 'The signature has expired. Sign each request afresh.',
  bad_lifetime: 'expires must be after created, by at most 300 seconds.',
  authority_not_covered: 'The signature must cover @authority or @target-uri.',
  agent_not_covered: 'The signature must cover the member of Signature-Agent, as "signature-agent";key="<label>".',
  method_not_covered: 'The signature must cover @method.',
  path_not_covered: 'The signature must cover @path or @target-uri.',
  query_not_covered: 'The signature of a request with a query must cover @query or @target-uri.',
  digest_not_covered: 'The signature of a request with a body must cover content-digest.',
  digest_mismatch: 'Content-Digest does not match the body.',
  unsupported_component: 'The signature covers a component that the service does not support.',
  key_id_refused: 'keyid must be the RFC 7638 thumbprint of the key, with 43 characters.',
  published_test_key: 'The key is a published test key, which anyone can use.',
  nonce_reused: 'The nonce was used before. Use a new one for each request.',
  too_many_checks: 'The daily limit of key checks for this account is reached. Try again tomorrow.',
  too_many_waiting: 'Too many keys of this account wait for its owner. The owner decides on the owner page.',
  wrong_signature: 'The signature does not match the request and the key.',
  key_not_in_directory: 'The directory does not have the key.',
  key_refused: 'The key in the directory is not a valid Ed25519 key for signatures.',
  directory_unreachable: 'The directory cannot be read: its host does not answer.',
  directory_address_refused: 'The host of the directory has an address that is not public.',
  directory_redirect: 'The directory answers with a redirect, which is not followed.',
  directory_status: 'The directory answers with a status other than 200.',
  directory_content_type:
    'The content type of the directory must be application/http-message-signatures-directory+json.',
  directory_too_large: 'The directory is larger than 64 KiB or has more than 20 keys.',
  directory_malformed: 'The directory must be a JSON object with an array keys.',
  directory_timeout: 'The directory did not answer within 3 seconds.',
  no_longer_signs: 'The agent has not signed a request with the key for 30 days.',
} as const satisfies Record<string, string>

export type AgentRefusalCode = keyof typeof agentRefusals

export class AgentRefusal extends Error {
  readonly code: AgentRefusalCode

  constructor(code: AgentRefusalCode) {
    super(agentRefusals[code])
    this.code = code
  }
}
