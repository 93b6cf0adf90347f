type Price = { amount: number; currency: string }

/** `€1,450`, `US$45.50`, `Free`. British English, because it tells the dollars of the world apart. */
export function priceText({ amount, currency }: Price): string {
  if (amount === 0) return 'Free'
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(amount)
}
