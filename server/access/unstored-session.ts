/**
 * A plugin for better-auth that handles session cookies whose session is not in the database yet. The signature alone proves that
 * this server issued the token. Only this server's own code calls it; no request reaches it.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { z } from 'zod'

export const unstoredSessionPlugin = {
  id: 'unstored-session',
  endpoints: {
    /** Sets the session cookie for a token that the caller chose. */
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
    /** Returns the session cookie's token where this server signed it, and null otherwise. */
    readToken: createAuthEndpoint.serverOnly({ method: 'POST' }, async (context) => {
      const { authCookies, secret } = context.context
      const token = await context.getSignedCookie(authCookies.sessionToken.name, secret)
      return { token: token || null }
    }),
  },
} satisfies BetterAuthPlugin
