import { type Context, openPublicClient } from '../context.ts'

export async function place(context: Context): Promise<void> {
  const { args, out, text } = context
  const country = text('country')
  const query = { q: args.join(' '), limit: Math.min(20, context.number('limit')), ...(country && { country }) }
  const found = await openPublicClient(context).findPlaces(query)
  out.document(found)
  if (found.data.length === 0) return out.print('No place found.')
  out.table(found.data, [
    { title: 'PLACE', text: ({ label }) => label, isFlexible: true },
    { title: 'COUNTRY', text: ({ location }) => location.country },
    { title: 'STATE', text: ({ location }) => location.state ?? '' },
    { title: 'CITY', text: ({ location }) => String(location.city?.geonames_id ?? '') },
  ])
}
