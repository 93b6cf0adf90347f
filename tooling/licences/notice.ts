import { fontPackages } from '../../src/publishing/cards/fonts.ts'
import { npmPackages } from './npm-packages.ts'
import { copyrightsWithoutFile, vendoredParts } from './other-parts.ts'

/** NOTICE.md, which goes with the sources and the image. It depends only on committed files. */
export function renderNotice(root: string): string {
  const shipped = npmPackages(root).filter(({ use }) => use === 'shipped')
  const byLicence = Map.groupBy(shipped, ({ licence }) => String(licence).replace(/^\((.*)\)$/, '$1'))
  const licences = [...byLicence]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([licence, packages]) => [licence, [...new Set(packages.map(({ name }) => name))].sort().join(', ')])
  const files = vendoredParts.map(({ name, files, licence, licenceFile, copyright, source }) => [
    `${name}: ${files.map((file) => `\`${file}\``).join(', ')}`,
    licenceFile ? `[${licence}](${licenceFile})` : String(licence),
    copyright,
    source,
  ])
  return `# Third-party notices

Broadside is licensed under the [Apache License 2.0](LICENSE). It contains, or is installed with, the works of others below.
\`npm run generate\` writes this file; a test compares it with what is installed.

## In this repository

${table(['What', 'Licence', 'Copyright', 'Source'], files)}

The licence of GeoNames is [Creative Commons Attribution 4.0](https://creativecommons.org/licenses/by/4.0/).

## In the image only

| What | Licence |
| --- | --- |
| Node.js, with what it contains | \`/usr/local/share/doc/node/LICENSE\` |
| Debian packages, nginx among them | \`/usr/share/doc/*/copyright\` |
| fonts of the packages ${fontPackages.join(', ')} | \`/usr/share/doc/<package>/copyright\` |

## npm packages

Each has its licence and its copyright notice in its folder below \`node_modules/\`, in the image too. The exceptions follow.

${table(['Licence', 'Packages'], licences)}

### Packages without a licence file

${table(['Package', 'Copyright'], Object.entries(copyrightsWithoutFile))}

Where nothing else is said, they are licensed under the MIT License:

> Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the “Software”), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:
>
> The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.
>
> THE SOFTWARE IS PROVIDED “AS IS”, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

The programs of ONNX Runtime and of the canvas contain further works, which their projects list: \`ThirdPartyNotices.txt\` of [onnxruntime](https://github.com/microsoft/onnxruntime), and \`sbom.cdx.json\` in the folder of the canvas.

## The clients

The npm package \`broadside\` has no dependencies. The Python package contains none; its users install httpx (BSD-3-Clause).
`
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
