import { permittedUses, postLicense, prohibitedUses } from '../../contract/post-license.ts'
import { type Xml, xml, xmlDocument } from '../../markup/xml.ts'

/** The licence of posts in RSL 1.0. It covers the posts only: the licence does not cover our own text. */
export const licenseXml = (): string =>
  xmlDocument(xml`<rsl xmlns="https://rslstandard.org/rsl">
<content url="/p/">
<license>
${usage('permits', permittedUses)}${usage('prohibits', prohibitedUses)}<payment type="${postLicense.payment}">
<standard>${postLicense.url}</standard>
</payment>
</license>
</content>
</rsl>`)

function usage(element: 'permits' | 'prohibits', uses: string): readonly Xml[] {
  if (uses === '') return []
  const line = {
    permits: xml`<permits type="usage">${uses}</permits>\n`,
    prohibits: xml`<prohibits type="usage">${uses}</prohibits>\n`,
  }
  return [line[element]]
}
