import { contentSignal, rslFile } from '../../contract/post-license.ts'
import type { DocumentedSite } from '../deployment.ts'

/**
 * Allows everyone to crawl and use all static files, as the licence for posts does. Content-Signal is Cloudflare's
 * syntax for this permission, and License is RSL's line for the file that states it in full. The gateway sends the IETF draft's syntax in the header Content-Usage, because robots.txt
 * checkers report it as an error here. RFC 9309 parsers ignore unknown lines.
 */
export const robotsTxt = ({ baseUrl }: DocumentedSite): string => `User-agent: *
Content-Signal: ${contentSignal}
Disallow: /v1/search
Disallow: /search
Disallow: /p/*/report
Disallow: /p/*/contact
Disallow: /mcp
Allow: /mcp/server-card
Allow: /

License: ${baseUrl}/${rslFile.path}
Sitemap: ${baseUrl}/sitemap.xml
`
