import type { DocumentedSite } from './deployment.ts'

/**
 * Everyone may read and use all static files: the licence of the posts allows it. Content-Signal is Cloudflare's syntax
 * for this. The gateway sends the IETF draft's syntax as the header Content-Usage, because robots.txt checkers
 * report it as an error here. RFC 9309 parsers ignore unknown lines.
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
