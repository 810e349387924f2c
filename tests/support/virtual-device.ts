import type { CDPSession, Page } from '@playwright/test'

/** A device that holds keys and asks its owner by their finger, as the browser sees it. */
export async function withDevice(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      // Nobody touches it yet; what the browser offers below the e-mail would be taken at once, too.
      ...{ isUserVerified: true, automaticPresenceSimulation: false },
    },
  })
  return {
    keys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    verifies: (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** A finger on it, for as long as `while_` takes. */
    async touched(while_: () => Promise<unknown>) {
      const set = (enabled: boolean) =>
        cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
      await set(true)
      await while_()
      await set(false)
    },
  }
}
