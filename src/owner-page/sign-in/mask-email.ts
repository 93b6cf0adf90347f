/** Enough to recognise one's own address, too little to learn another's. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email.slice(0, at)
  return `${first}…@${email.slice(at + 1)}`
}
