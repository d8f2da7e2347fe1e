/** A stored HTTPProxy2. */
export interface HTTPProxy2 {
  id: string
  a: string
  bC: string
  dEF: number
  userID: string
  ipV4Address: string
  x2y: number
  iPhone: boolean
}

/** What a client sends to create or update a HTTPProxy2. */
export interface HTTPProxy2Request {
  a: string
  bC: string
  dEF: number
  userID: string
  ipV4Address: string
  x2y: number
  iPhone: boolean
}

/** What a create stores. */
export interface CreateHTTPProxy2 {
  readonly id: string
  a: string
  bC: string
  dEF: number
  userID: string
  ipV4Address: string
  x2y: number
  iPhone: boolean
}

/** What an update stores. */
export interface UpdateHTTPProxy2 {
  id: string
  a: string
  bC: string
  dEF: number
  userID: string
  ipV4Address: string
  x2y: number
  iPhone: boolean
}

/** A stored TLSCert. */
export interface TLSCert {
  id: string
  parentId: string
  sha256Sum: Uint8Array
  notAfter: string
}

/** What a client sends to create or update a TLSCert. */
export interface TLSCertRequest {
  sha256Sum: Uint8Array
  notAfter: string
}

/** What a create stores. */
export interface CreateTLSCert {
  readonly id: string
  parentId: string
  sha256Sum: Uint8Array
  notAfter: string
}

/** What an update stores. */
export interface UpdateTLSCert {
  id: string
  parentId: string
  sha256Sum: Uint8Array
  notAfter: string
}
