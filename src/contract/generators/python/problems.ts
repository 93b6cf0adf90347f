import { problemCodes, problems } from '../../problems/problems.ts'
import { problemClassName } from '../client-rules.ts'
import { docstring } from './names.ts'

/** Prints one class for each problem of the catalog. */
export function printProblemClasses(): string {
  const classes = problemCodes.map((code) => {
    const { meaning, remedy } = problems[code]
    return `class ${problemClassName(code)}(BroadsideProblem):\n${docstring(`${meaning}\n\n${remedy}`, '    ')}`
  })
  return `from __future__ import annotations

from typing import Literal

from .._core.errors import BroadsideProblem

__all__ = [
${[...problemCodes.map(problemClassName), 'ProblemCode'].map((name) => `    "${name}",`).join('\n')}
]

ProblemCode = Literal[
${problemCodes.map((code) => `    "${code}",`).join('\n')}
]

${classes.join('\n\n\n').replace(/^/, '\n')}


PROBLEM_CLASSES: dict[str, type[BroadsideProblem]] = {
${problemCodes.map((code) => `    "${code}": ${problemClassName(code)},`).join('\n')}
}
`
}
