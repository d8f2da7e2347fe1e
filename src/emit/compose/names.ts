/** The image of databases. */
export const POSTGRES_IMAGE = 'postgres:18'
/** The service that takes secrets. No directory, and so no service of the user's, has a name with a dot. */
export const SECRETS_SERVICE = 'portico.secrets'
