/**
 * A plugin for better-auth: session cookies whose session is not in the database yet. The signature alone says that this server
 * gave the token. Asked for by this server's own code; no request reaches it.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { z } from 'zod'

export const unstoredSessionPlugin = {
  id: 'unstored-session',
  endpoints: {
    /** Sets the session cookie for a token of the caller's. */
    signToken: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ token: z.string() }) },
      async (context) => {
        const { authCookies, secret, sessionConfig } = context.context
        const { name, attributes } = authCookies.sessionToken
        const cookieAttributes = { ...attributes, maxAge: sessionConfig.expiresIn }
        await context.setSignedCookie(name, context.body.token, secret, cookieAttributes)
        return null
      },
    ),
    /** The session cookie's token, where its signature is ours; null otherwise. */
    readToken: createAuthEndpoint.serverOnly({ method: 'POST' }, async (context) => {
      const { authCookies, secret } = context.context
      const token = await context.getSignedCookie(authCookies.sessionToken.name, secret)
      return { token: token || null }
    }),
  },
} satisfies BetterAuthPlugin
