/** As much of the Web Locks API as is used here, so that several windows fit one test process. */
export interface LocksLike {
  /** @param run Holds the lock until its promise settles; is given null where `ifAvailable` and it was taken. */
  request<T>(
    name: string,
    options: LockRequest,
    run: (lock: { readonly name: string } | null) => Promise<T>,
  ): Promise<T>
}

export interface LockRequest {
  readonly ifAvailable?: boolean
  readonly steal?: boolean
  readonly signal?: AbortSignal
}
