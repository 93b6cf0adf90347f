import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../../../tooling/environment/service.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

type Customer = Awaited<ReturnType<Service['createCustomer']>>

/** Submits a post, waits for the decision, and returns the status record. */
async function submit({ client }: Customer, text: string) {
  const { body } = await client.submitPost({ text })
  assert.ok('id' in body)
  await service.settle()
  const { body: record } = await client.getPost(body.id)
  assert.ok('status' in record)
  return record
}

const timetable = (ferry: string) =>
  `Timetable of the ${ferry} ferry for the coming week: nine, twelve, three and six, every day but Sunday.`
const week = 8 * 86_400_000

test('a text that another account posted first goes to a person with the reason similar', async () => {
  const [first, second] = [await service.createCustomer(), await service.createCustomer()]
  assert.equal((await submit(first, timetable('Salcombe'))).status, 'published')
  const copied = await submit(second, `${timetable('Salcombe')} Bicycles travel free.`)
  assert.deepEqual([copied.status, copied.review?.reason], ['review', 'similar'])
  assert.equal((await submit(second, timetable('Dittisham').replace('nine', 'ten'))).status, 'published')
})

test('an author who had the text before is not held up by an account that was faster this time', async () => {
  const [author, copier] = [await service.createCustomer(), await service.createCustomer()]
  assert.equal((await submit(author, timetable('Fowey'))).status, 'published')
  service.clock.setOffset(week)
  assert.equal((await submit(copier, timetable('Fowey'))).status, 'published', 'after a week nothing is compared')
  assert.equal((await submit(author, timetable('Fowey'))).status, 'published')
  service.clock.setOffset(0)
})

test('an author whose earlier posts of the text were removed goes to a person', async () => {
  const [author, other] = [await service.createCustomer(), await service.createCustomer()]
  const { id } = await submit(author, timetable('Helford'))
  await service.asOwner("update posts set status = 'removed', listed = false where id = $1", [id])
  assert.equal((await submit(other, timetable('Helford'))).status, 'published')
  assert.equal((await submit(author, timetable('Helford'))).review?.reason, 'similar')
})
