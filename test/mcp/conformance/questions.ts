import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequest,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** What a tool or prompt asks the client before it answers, one round after the other. */
export type Questions = {
  rounds: readonly InputRequests[]
  /** Signs the round, so that a client that changes it is refused. */
  keepsState?: boolean
  /** Leaves out what the client has not declared as a capability. */
  onlyDeclared?: boolean
}

type State = { round: number }

export const stateCodec = createRequestStateCodec<State>({ key: 'the fixtures keep no secret behind this key' })

/** The next round; undefined once the last one is answered. */
export async function nextQuestions(
  { rounds, keepsState, onlyDeclared }: Questions,
  context: ServerContext,
): Promise<InputRequiredResult | undefined> {
  const { inputResponses, requestState } = context.mcpReq
  const last = requestState<State>()?.round ?? 0
  const isAnswered = Object.keys(rounds[last] ?? {}).every(
    (key) => inputResponse(inputResponses, key).kind !== 'missing',
  )
  const round = isAnswered ? last + 1 : last
  const asked = rounds[round]
  if (!asked) return undefined
  return inputRequired({
    inputRequests: onlyDeclared ? declaredOf(asked, context) : asked,
    ...(keepsState && { requestState: await stateCodec.mint({ round }) }),
  })
}

function declaredOf(asked: InputRequests, { mcpReq }: ServerContext): InputRequests {
  const envelope = (mcpReq.envelope ?? {}) as Record<string, object>
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}
  return Object.fromEntries(Object.entries(asked).filter(([, { method }]) => (method.split('/')[0] ?? '') in declared))
}

type Properties = ElicitRequestFormParams['requestedSchema']['properties']

export const form = (message: string, properties: Properties, required: string[] = []): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } })

export const completion = (text: string): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 })

const named = form('What is your name?', { name: { type: 'string' } }, ['name'])
const confirmed = form('Please confirm', { ok: { type: 'boolean' } }, ['ok'])

/** Tools that answer once their questions are answered. */
export const askingTools: Record<string, Questions> = {
  test_missing_capability: { rounds: [{ sample: completion('Anything') }] },
  test_streaming_elicitation: { rounds: [{ user_name: named }] },
  test_input_required_result_elicitation: { rounds: [{ user_name: named }] },
  test_input_required_result_sampling: { rounds: [{ capital_question: completion('What is the capital of France?') }] },
  test_input_required_result_list_roots: { rounds: [{ client_roots: inputRequired.listRoots() }] },
  test_input_required_result_request_state: { rounds: [{ confirm: confirmed }], keepsState: true },
  test_input_required_result_tampered_state: { rounds: [{ confirm: confirmed }], keepsState: true },
  test_input_required_result_multiple_inputs: {
    rounds: [{ user_name: named, greeting: completion('Greet'), client_roots: inputRequired.listRoots() }],
    keepsState: true,
  },
  test_input_required_result_multi_round: {
    rounds: [{ step1: named }, { step2: form('Which colour?', { color: { type: 'string' } }, ['color']) }],
    keepsState: true,
  },
  test_input_required_result_capabilities: {
    rounds: [{ user_name: named, greeting: completion('Greet') }],
    onlyDeclared: true,
  },
  test_elicitation_sep1034_defaults: {
    rounds: [
      {
        form: form('All kinds of defaults', {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        }),
      },
    ],
  },
  test_elicitation_sep1330_enums: { rounds: [{ form: form('All kinds of choices', choices()) }] },
}

export const askingPrompts: Record<string, Questions> = {
  test_input_required_result_prompt: {
    rounds: [{ user_context: form('Which context?', { context: { type: 'string' } }, ['context']) }],
  },
}

function choices(): Properties {
  const plain = ['option1', 'option2', 'option3']
  const titled = ['value1', 'value2', 'value3'].map((value) => ({ const: value, title: `Titled ${value}` }))
  return {
    untitledSingle: { type: 'string', enum: plain },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  }
}
