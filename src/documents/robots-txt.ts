import type { Site } from './deployment.ts'

/**
 * Everything static may be read and used: the licence of the posts allows it. The two preference lines say the same in
 * the words of Cloudflare's content signals and of the IETF's draft; a reader of RFC 9309 passes over them.
 */
export const robotsTxt = ({ baseUrl }: Site): string => `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Content-Usage: train-ai=y, search=y
Disallow: /v1/search
Disallow: /search
Disallow: /mcp
Allow: /mcp/server-card
Allow: /

Sitemap: ${baseUrl}/sitemap.xml
`
