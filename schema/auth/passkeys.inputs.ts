import { Type } from '@sinclair/typebox'
import { patterned } from '../inputs.ts'
import { givenPassword } from './auth.inputs.ts'

/** What browsers make of the bytes of a device. */
const base64url = (maxLength: number) => patterned({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
const challenge = Type.String({ minLength: 1, maxLength: 1_000 })

/** Characters, in the name of a key. */
export const longestPasskeyName = 50
export const passkeyName = patterned({ minLength: 1, maxLength: longestPasskeyName, pattern: '\\S' })

const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(Type.String({ maxLength: 40 })),
  /** Extensions are not asked for: whatever stands there is not looked at. */
  clientExtensionResults: Type.Optional(Type.Object({}, { additionalProperties: true })),
}

/** What a browser answers with when a device has made a key. */
export const passkeyMade = Type.Object({
  name: passkeyName,
  response: Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(8_000),
      attestationObject: base64url(64_000),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
    }),
  }),
})

export const passkeyRenamed = Type.Object({ name: passkeyName })
export const passkeyRemoved = Type.Object({ currentPassword: Type.Optional(givenPassword) })

/** With the first half of a login it is the second half; without, the key alone says who it is. */
export const passkeyBegin = Type.Object({ challenge: Type.Optional(challenge) })

/** What a browser answers with when a device has signed. */
export const passkeyEnter = Type.Object({
  challenge: Type.Optional(challenge),
  response: Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(8_000),
      authenticatorData: base64url(8_000),
      signature: base64url(8_000),
      userHandle: Type.Optional(base64url(200)),
    }),
  }),
})
