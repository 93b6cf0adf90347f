import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { meteredOperation } from '../support/money/metered-operation.ts'
import { verifyTestLedger } from '../support/money/verify-ledger.ts'

const freeUses = 3
const priceMicros = 1_000

let service: Service
before(async () => {
  service = await startService({ searchesPerKey: freeUses, apiServers: 2, extraOperations: [meteredOperation()] })
  service.clock.now = () => new Date('2030-06-01T12:00:00Z')
})
after(() => service[Symbol.asyncDispose]())

type Customer = Awaited<ReturnType<Service['createCustomer']>>
const ask = (customer: Customer, query: string, baseUrl = service.baseUrl) =>
  fetch(`${baseUrl}/v1/probe/metered${query}`, { headers: { authorization: `Bearer ${customer.api_key}` } })

/** A customer in the database: uses, charges, and the remaining balance. */
async function booksOf({ id }: Customer) {
  const [books] = await service.asOwner<{ uses: number; charges: number; left: string }>(
    `select
       (select coalesce(sum(used), 0)::integer from allowance_uses join api_keys on subject = id where account_id = $1) as uses,
       (select count(*)::integer from ledger_transfers where account_id = $1 and reason = 'search') as charges,
       (select prepaid_micros::text from balances where account_id = $1) as left`,
    [id],
  )
  return books
}

async function useUp(customer: Customer) {
  for (let count = 0; count < freeUses; count++) assert.equal((await ask(customer, '')).status, 200)
}

const doings = { answer: 200, fail: 500, misfit: 500, refuse: 404, nonsense: 400 } as const
type Doing = keyof typeof doings
const waves = fc.array(
  fc.array(fc.constantFrom<Doing>('answer', 'answer', 'answer', 'fail', 'misfit', 'refuse', 'nonsense'), {
    minLength: 1,
    maxLength: 6,
  }),
  { minLength: 1, maxLength: 4 },
)

test('for any mix of successful, failed and refused calls, responses, uses, charges and the balance agree', async () => {
  const play = async (money: number, plan: Doing[][]) => {
    const customer = await service.createCustomer(money * priceMicros + 1)
    const sites = Object.values(service.baseUrls)
    const answered: { free_remaining: number; charged_micros: number }[] = []
    let unpaid = 0
    for (const wave of plan) {
      const responses = await Promise.all(wave.map((doing, index) => ask(customer, `?do=${doing}`, sites[index % 4])))
      for (const [index, response] of responses.entries()) {
        if (response.status === 402) unpaid++
        else assert.equal(response.status, doings[wave[index] as Doing])
        const body = await response.json()
        if (response.status === 200) answered.push(body as (typeof answered)[number])
      }
    }
    const charged = answered.filter(({ charged_micros }) => charged_micros > 0).length
    assert.deepEqual(await booksOf(customer), {
      uses: answered.length - charged,
      charges: charged,
      left: String((money - charged) * priceMicros + 1),
    })
    assert.ok(answered.length - charged <= freeUses)
    assert.ok(unpaid === 0 || plan.flat().length > freeUses, 'nobody pays for what is free')
  }
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 5 }), waves, play), { numRuns: 40 })
  const { sum_micros, difference_count } = await verifyTestLedger(service.database)
  assert.deepEqual({ sum_micros, difference_count }, { sum_micros: '0', difference_count: 0 })
})

test('if a process dies before it answers a search, the next one repeats it, and it is charged once', async () => {
  const customer = await service.createCustomer(100_000)
  await useUp(customer)
  let hasDied = false
  service.api.server.once('request', (request, response) => {
    // Fastify writes the response after the charge.
    response.writeHead = () => {
      hasDied = true
      request.socket.destroy()
      return response
    }
  })
  let searches = 0
  while (!hasDied && searches < 20) {
    assert.equal((await ask(customer, '')).status, 200)
    searches++
  }
  assert.ok(hasDied, 'no search went to the server that dies')
  assert.deepEqual(await booksOf(customer), {
    uses: freeUses,
    charges: searches,
    left: String(100_000 - searches * priceMicros),
  })
})

test('a charge is retried after a lost connection, and is booked once', async () => {
  const customer = await service.createCustomer(10_000)
  await useUp(customer)
  await breakCharges(1)
  assert.equal((await ask(customer, '')).status, 200)
  assert.deepEqual(await booksOf(customer), { uses: freeUses, charges: 1, left: '9000' })
})

test('without a successful charge there is no response and no charge', async () => {
  const customer = await service.createCustomer(10_000)
  await useUp(customer)
  await breakCharges(2)
  assert.equal((await ask(customer, '')).status, 503)
  assert.deepEqual(await booksOf(customer), { uses: freeUses, charges: 0, left: '10000' })
  assert.equal((await ask(customer, '')).status, 200)
})

/**
 * Ends the server's connection during the next charges, this many times. Uses a sequence, because rollbacks do not
 * reset it.
 */
async function breakCharges(times: number) {
  await service.asOwner(`
    drop trigger if exists break_charges on ledger_transfers;
    drop sequence if exists broken_charges cascade;
    create sequence broken_charges;
    create or replace function break_charges() returns trigger language plpgsql security definer as $$ begin
      if nextval('public.broken_charges') <= ${times} then
        raise exception 'going away' using errcode = 'admin_shutdown';
      end if;
      return new;
    end $$;
    create trigger break_charges before insert on ledger_transfers for each row execute function break_charges()`)
}
