import * as ts from 'typescript/unstable/ast'
import type { Schema } from '../contract.ts'

/** The key of the schema that a name means where it is used, if the client declares it. */
export type Names = (name: string) => string | undefined

/** Describes a declaration as a schema; several are the overloads of a function. */
export function readDeclaration(node: ts.Node | readonly ts.FunctionDeclaration[], names: Names): Schema {
  if (Array.isArray(node)) return { type: 'function', signatures: node.map((one) => readSignature(one, names)) }
  const one = node as ts.Node
  if (ts.isTypeAliasDeclaration(one)) return withGenerics(one, readType(one.type, names))
  if (ts.isVariableDeclaration(one)) return one.type ? readType(one.type, names) : { type: textOf(one) }
  if (ts.isClassDeclaration(one) || ts.isInterfaceDeclaration(one)) {
    const own = withGenerics(one, readMembers(one.members, names))
    const bases = (one.heritageClauses ?? []).flatMap((clause) => clause.types.map((base) => readBase(base, names)))
    const all = bases.length > 0 ? { allOf: [...bases, own] } : own
    return ts.isClassDeclaration(one) ? { ...all, class: true } : all
  }
  return opaque(one, names)
}

const withGenerics = (
  { typeParameters }: { typeParameters?: ts.NodeArray<ts.TypeParameterDeclaration> },
  schema: Schema,
): Schema => (typeParameters ? { ...schema, format: `<${typeParameters.map(textOf).join(', ')}>` } : schema)

function readBase(base: ts.ExpressionWithTypeArguments, names: Names): Schema {
  return named(textOf(base.expression), base.typeArguments, names)
}

function named(name: string, given: readonly ts.TypeNode[] | undefined, names: Names): Schema {
  const key = names(name)
  const types = given?.map((one) => readType(one, names)) ?? []
  const [first = {}] = types
  if (!key && (name === 'Array' || name === 'ReadonlyArray')) return { type: 'array', items: first }
  return { ...(key ? { $ref: `#/${key}` } : { type: name }), ...(types.length > 0 ? { arguments: types } : {}) }
}

const keywords: Partial<Record<ts.SyntaxKind, Schema>> = {
  [ts.SyntaxKind.StringKeyword]: { type: 'string' },
  [ts.SyntaxKind.NumberKeyword]: { type: 'number' },
  [ts.SyntaxKind.BooleanKeyword]: { type: 'boolean' },
  [ts.SyntaxKind.UndefinedKeyword]: { type: 'undefined' },
  [ts.SyntaxKind.UnknownKeyword]: {},
  [ts.SyntaxKind.AnyKeyword]: {},
}

function readType(node: ts.TypeNode, names: Names): Schema {
  if (ts.isParenthesizedTypeNode(node)) return readType(node.type, names)
  if (ts.isTypeReferenceNode(node)) return named(textOf(node.typeName), node.typeArguments, names)
  if (ts.isImportTypeNode(node) && node.qualifier && !node.isTypeOf)
    return named(textOf(node.qualifier), node.typeArguments, names)
  if (ts.isTypeLiteralNode(node)) return readMembers(node.members, names)
  if (ts.isUnionTypeNode(node)) return readUnion(node, names)
  if (ts.isIntersectionTypeNode(node)) return { allOf: node.types.map((one) => readType(one, names)) }
  if (ts.isArrayTypeNode(node)) return { type: 'array', items: readType(node.elementType, names) }
  if (ts.isLiteralTypeNode(node)) return { enum: [literalOf(node)] }
  if (ts.isFunctionTypeNode(node) || ts.isConstructorTypeNode(node))
    return { type: 'function', signatures: [readSignature(node, names)] }
  return keywords[node.kind] ?? opaque(node, names)
}

/** Literals become one list of values. */
function readUnion(node: ts.UnionTypeNode, names: Names): Schema {
  const literals = node.types.filter((one) => ts.isLiteralTypeNode(one) && textOf(one) !== 'null')
  const others = node.types.filter((one) => !literals.includes(one)).map((one) => readType(one, names))
  const values = literals.map((one) => literalOf(one as ts.LiteralTypeNode))
  const all = [...(values.length > 0 ? [{ enum: values }] : []), ...others]
  return all.length === 1 && all[0] ? all[0] : { anyOf: all }
}

function literalOf(node: ts.LiteralTypeNode): unknown {
  const text = textOf(node)
  return text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text)
}

/** A type that has no schema is compared as text, and what it refers to by itself. */
function opaque(node: ts.Node, names: Names): Schema {
  const uses = new Set<string>()
  const visit = (inner: ts.Node) => {
    if (ts.isTypeReferenceNode(inner)) uses.add(names(textOf(inner.typeName)) ?? '')
    if (ts.isTypeQueryNode(inner)) uses.add(names(textOf(inner.exprName)) ?? '')
    inner.forEachChild(visit)
  }
  visit(node)
  uses.delete('')
  return { type: textOf(node), ...(uses.size > 0 ? { uses: [...uses].sort() } : {}) }
}

const textOf = (node: ts.Node) =>
  node
    .getText()
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

type Member = ts.TypeElement | ts.ClassElement
type Called = Parameters<typeof readSignature>[0]

function readMembers(members: readonly Member[], names: Names): Schema {
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  let others: Schema | undefined
  for (const member of members) {
    if (ts.isIndexSignatureDeclaration(member)) others = readType(member.type, names)
    const name = nameOfMember(member)
    if (name === undefined) continue
    properties[name] = readMember(member, names, properties[name])
    if (!('questionToken' in member && member.questionToken) && !required.includes(name)) required.push(name)
  }
  const rest = others ? { additionalProperties: others } : {}
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), ...rest }
}

/** Undefined for what callers cannot reach. */
function nameOfMember(member: Member): string | undefined {
  if (ts.isConstructorDeclaration(member) || ts.isConstructSignatureDeclaration(member)) return 'constructor'
  if (ts.isCallSignatureDeclaration(member)) return 'call'
  const named = 'name' in member ? (member.name as ts.Node | undefined) : undefined
  if (!named || /^(?:private|protected) /.test(textOf(member))) return undefined
  const name = textOf(named)
  return name.startsWith('#') ? undefined : name.replaceAll(/^['"]|['"]$/g, '')
}

function readMember(member: Member, names: Names, before: Schema | undefined): Schema {
  if (
    ts.isMethodDeclaration(member) ||
    ts.isMethodSignatureDeclaration(member) ||
    ts.isConstructorDeclaration(member) ||
    ts.isConstructSignatureDeclaration(member) ||
    ts.isCallSignatureDeclaration(member)
  ) {
    const earlier = (before?.['signatures'] ?? []) as object[]
    return { type: 'function', signatures: [...earlier, readSignature(member as Called, names)] }
  }
  const type = 'type' in member ? (member.type as ts.TypeNode | undefined) : undefined
  return type ? readType(type, names) : { type: textOf(member) }
}

function readSignature(
  node: { readonly typeParameters?: ts.NodeArray<ts.TypeParameterDeclaration>; readonly type?: ts.TypeNode } & {
    readonly parameters: ts.NodeArray<ts.ParameterDeclaration>
  },
  names: Names,
): object {
  const parameters = node.parameters.map((one) => ({
    name: /^\w+$/.test(textOf(one.name)) ? textOf(one.name) : 'options',
    by: one.dotDotDotToken ? 'rest' : 'position',
    ...(one.questionToken || one.dotDotDotToken ? { optional: true } : {}),
    schema: one.type ? readType(one.type, names) : {},
  }))
  const generics = node.typeParameters?.map(textOf).join(', ')
  return { parameters, returns: node.type ? readType(node.type, names) : {}, ...(generics ? { generics } : {}) }
}
