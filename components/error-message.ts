import { withoutSettings } from '@/lib/strings/without-settings.ts'
import { uiStrings } from '@/lib/strings/ui.ts'

/** What the API says of a request that it refused. @param otherwise Said of an answer of anybody else. */
export async function errorMessageOf(
  response: Response,
  otherwise: string = uiStrings.server.answered(response.status),
): Promise<string> {
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null
  return withoutSettings(body?.error?.message ?? otherwise)
}
