import { AgentRefusal } from './refusal.ts'

export const directoryPath = '/.well-known/http-message-signatures-directory'

/**
 * The directory and the domain of an agent. The mark names the domain, so only the address that its operator controls
 * counts: on many hosts, anyone can upload a file to another path.
 */
export function readAgentUrl(given: string): { agentUrl: string; domain: string } {
  const refused = new AgentRefusal('agent_url_refused')
  const host = given.length <= maxUrlLength && given.endsWith(directoryPath) && given.slice(0, -directoryPath.length)
  // Compared as sent, because the parser removes dots from paths and turns backslashes.
  if (!host || !/^https:\/\/[^/?#@\\:]+$/.test(host)) throw refused
  const url = URL.parse(host)
  if (!url) throw refused
  const domain = url.hostname.replace(/\.$/, '')
  // The parser has made every form of an IPv4 address dotted, and the last label of a domain starts with a letter.
  if (!hostForm.test(domain) || domain.length > 253) throw refused
  if (localSuffixes.some((suffix) => `.${domain}`.endsWith(suffix))) throw refused
  return { agentUrl: `https://${domain}${directoryPath}`, domain }
}

const maxUrlLength = 512

/** At least two labels of letters, digits and hyphens; the parser has lower-cased them and made them punycode. */
const hostForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** Names that are valid only inside a machine or network. */
const localSuffixes = ['.localhost', '.local', '.internal', '.arpa', '.onion', '.invalid']
