import type { DocumentedSite } from './deployment.ts'

/**
 * Everything static may be read and used: the licence of the posts allows it. Content-Signal says so in the words of
 * Cloudflare; the gateway sends the same in those of the IETF's draft, as the header Content-Usage, since checkers of
 * robots.txt take that for a mistake here. A reader of RFC 9309 passes over what it does not know.
 */
export const robotsTxt = ({ baseUrl }: DocumentedSite): string => `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Disallow: /v1/search
Disallow: /search
Disallow: /mcp
Allow: /mcp/server-card
Allow: /

Sitemap: ${baseUrl}/sitemap.xml
`
