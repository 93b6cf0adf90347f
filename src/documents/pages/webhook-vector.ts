/** A delivery whose signature is right: for trying out verifiers, ours and our readers'. The key is the bytes 0 to 31. */
export const webhookVector = {
  secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  id: 'msg_01JEXAMPLE0000000000000000',
  timestamp: '1790000000',
  body: '{"type":"post.published","timestamp":"2026-09-21T14:13:20.000Z","data":{"id":"p_7Hk2","status":"published"}}',
  signature: 'v1,Vk8zJFWm0kjcu02SmVdp0tJaOBKhDp7uWsd/Rw7NIU8=',
} as const
