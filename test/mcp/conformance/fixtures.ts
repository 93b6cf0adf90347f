import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  InputRequiredResult,
  ReadResourceResult,
  ServerContext,
  ServerNotifier,
} from '@modelcontextprotocol/server'
import { askingPrompts, askingTools, completion, form, nextQuestions, type Questions } from './questions.ts'

type Given = Readonly<Record<string, unknown>>
type ToolCall = { given: Given; context: ServerContext; notifier: ServerNotifier }

/** The names, texts and questions are those that the conformance suites expect. */
type ToolFixture = {
  takes?: string
  answer: (call: ToolCall) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>
}

const text = (words: string) => ({ type: 'text' as const, text: words })
const says = (...content: ContentBlock[]): CallToolResult => ({ content })
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
const embedded = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'An embedded resource.' },
})

export const tools: Record<string, ToolFixture> = {
  test_simple_text: { answer: () => says(text('This is a simple text response for testing.')) },
  test_image_content: { answer: () => says(image) },
  test_audio_content: { answer: () => says({ type: 'audio', data: wav, mimeType: 'audio/wav' }) },
  test_embedded_resource: { answer: () => says(embedded('test://embedded-resource')) },
  test_multiple_content_types: { answer: () => says(text('Several:'), image, embedded('test://mixed')) },
  test_error_handling: { answer: () => ({ ...says(text('This tool always fails.')), isError: true }) },
  test_tool_with_logging: { answer: logThrice },
  test_logging_tool: { answer: logThrice },
  test_tool_with_progress: { answer: reportProgress },
  test_trigger_tool_change: { answer: ({ notifier }) => changed(notifier.toolsChanged) },
  test_trigger_prompt_change: { answer: ({ notifier }) => changed(notifier.promptsChanged) },
  test_sampling: {
    takes: 'prompt',
    answer: ({ given, context }) => ask({ rounds: [{ sample: completion(String(given['prompt'])) }] }, context),
  },
  test_elicitation: {
    takes: 'message',
    answer: ({ given, context }) => {
      const properties = { username: { type: 'string' as const }, email: { type: 'string' as const } }
      return ask({ rounds: [{ form: form(String(given['message']), properties, Object.keys(properties)) }] }, context)
    },
  },
  ...Object.fromEntries(
    Object.entries(askingTools).map(([name, questions]) => [
      name,
      { answer: ({ context }: ToolCall) => ask(questions, context) },
    ]),
  ),
}

function changed(announce: () => void) {
  announce()
  return says(text('Announced.'))
}

async function ask(questions: Questions, context: ServerContext) {
  return (await nextQuestions(questions, context)) ?? says(text(JSON.stringify(context.mcpReq.inputResponses)))
}

async function logThrice({ context }: ToolCall) {
  for (const step of ['started', 'goes on', 'completed']) await context.mcpReq.log('info', `The tool has ${step}`)
  return says(text('Logged.'))
}

async function reportProgress({ context: { mcpReq } }: ToolCall) {
  const progressToken = mcpReq._meta?.progressToken
  for (const progress of progressToken === undefined ? [] : [0, 50, 100])
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
  return says(text('Reported.'))
}

type PromptFixture = {
  takes?: readonly string[]
  answer: (
    given: Given,
    context: ServerContext,
  ) => GetPromptResult | InputRequiredResult | Promise<GetPromptResult | InputRequiredResult>
}

const user = (...content: ContentBlock[]): GetPromptResult => ({
  messages: content.map((block) => ({ role: 'user', content: block })),
})

export const prompts: Record<string, PromptFixture> = {
  test_simple_prompt: { answer: () => user(text('This is a simple prompt for testing.')) },
  test_prompt_with_arguments: {
    takes: ['arg1', 'arg2'],
    answer: ({ arg1, arg2 }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    takes: ['resourceUri'],
    answer: ({ resourceUri }) => user(embedded(String(resourceUri)), text('Please process it.')),
  },
  test_prompt_with_image: { answer: () => user(image, text('Please look at it.')) },
  ...Object.fromEntries(
    Object.entries(askingPrompts).map(([name, questions]) => [
      name,
      {
        answer: async (_: Given, context: ServerContext) =>
          (await nextQuestions(questions, context)) ?? user(text(JSON.stringify(context.mcpReq.inputResponses))),
      },
    ]),
  ),
}

type Contents = ReadResourceResult['contents'][number]

export const resources: readonly Contents[] = [
  { uri: 'test://static-text', mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  { uri: 'test://static-binary', mimeType: 'image/png', blob: png },
  { uri: 'test://watched-resource', mimeType: 'text/plain', text: 'Nothing changes here.' },
]

export const template = { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }

/** The contents of a resource; undefined if there is none at this address. */
export function readResource(uri: string): Contents | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id) return { uri, mimeType: template.mimeType, text: JSON.stringify({ id, data: `Data for ID: ${id}` }) }
  return resources.find((resource) => resource.uri === uri)
}
