import { pascalCase, snakeCase } from '../../../../contract/generators/python/names.ts'
import type { DocumentSite } from '../../document-site.ts'
import { pythonLiteral } from '../../examples/python.ts'
import { readProjectFile, type TextFacts } from '../../fill.ts'
import { codeFence } from '../../markdown-parts.ts'
import { methodTable } from './method-table.ts'
import { readmeOf } from './typescript.ts'

export const pythonFacts = (site: DocumentSite): TextFacts => ({
  ...pythonPackage(),
  readme: readmeOf('python', site),
  publish: codeFence('python', publishProgram(site)),
  methods: methodTable(site.operations, snakeCase),
})

/** The name of the package and the oldest version of Python that it needs. */
export function pythonPackage(): { package: string; python: string } {
  const project = readProjectFile('clients/python/pyproject.toml')
  const [, name = ''] = /^name = "(.+)"$/m.exec(project) ?? []
  const [, python = ''] = /^requires-python = ">=(.+)"$/m.exec(project) ?? []
  return { package: name, python }
}

/** The pages test checks the types of this program. */
const publishProgram = ({ kind }: DocumentSite): string =>
  `from broadside import Broadside
from broadside.types import ${pascalCase(kind.name)}SubmitPostBody

post: ${pascalCase(kind.name)}SubmitPostBody = ${pythonLiteral(kind.examples[0])}

with Broadside() as broadside:
    charge = broadside.check("${kind.name}", post)["charge"]
    submitted = broadside.publish("${kind.name}", post, idempotency_key="my-first-${kind.name}")
    decided = broadside.wait_for_decision(submitted)
    print(charge["total_micros"], decided["status"], decided["url"])`
