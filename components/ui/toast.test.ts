import { beforeEach, expect, test, vi } from 'vitest'

// Each test has a page of its own.
beforeEach(() => vi.resetModules())
const loadToast = () => import('./toast.ts')

const createToaster = () => {
  const shown: string[] = []
  const toaster = Object.assign((message: string) => shown.push(message), {
    error: (message: string) => shown.push(`error: ${message}`),
  })
  return { shown, toaster: toaster as never }
}

test('messages wait for the toaster, and are shown in their order', async () => {
  const { toast, setToaster, onToasterNeeded } = await loadToast()
  const [{ shown, toaster }, onNeeded] = [createToaster(), vi.fn()]
  toast('first')
  onToasterNeeded(onNeeded)
  expect(onNeeded).toHaveBeenCalledOnce()
  toast.error('second')
  setToaster(toaster)
  toast('third')
  expect(shown).toEqual(['first', 'error: second', 'third'])
  expect(onNeeded).toHaveBeenCalledTimes(2)
})

test('what waits for a toaster that did not load is taken once, and each later message asks for it again', async () => {
  const { toast, toastNotLoaded, setToaster, onToasterNeeded, takeWaitingMessages } = await loadToast()
  const [{ shown, toaster }, onNeeded] = [createToaster(), vi.fn()]
  onToasterNeeded(onNeeded)
  toastNotLoaded()
  expect(takeWaitingMessages()).toEqual(['This did not load. Check your connection and try again.'])
  expect(takeWaitingMessages()).toEqual([])
  toast('later')
  expect(onNeeded).toHaveBeenCalledTimes(2)
  setToaster(toaster)
  expect(shown).toEqual(['later'])
})
