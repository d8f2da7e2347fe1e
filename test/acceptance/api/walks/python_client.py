"""Walks through the platform of examples/stays with the client that openapi-python-client makes."""

import os
import uuid

from stays_client import AuthenticatedClient, Client
from stays_client.api.auth import login, register
from stays_client.api.home import create_home, list_home, read_home, update_home
from stays_client.api.host import create_host
from stays_client.api.photo import create_photo, delete_photo, list_photo
from stays_client.models import (
    AccessToken,
    Credentials,
    Error,
    GatewayError,
    Home,
    HomeList,
    HomeRequest,
    Host,
    HostRequest,
    Photo,
    PhotoList,
    PhotoRequest,
)

gateway = os.environ["PORTICO_GATEWAY"]
email = os.environ["PORTICO_EMAIL"]
anonymous = Client(base_url=gateway)


def expect(kind, answer, status):
    assert answer.status_code == status, answer
    assert isinstance(answer.parsed, kind), answer
    return answer.parsed


# Register, and sign in again.
credentials = Credentials(email=email, password="some long password")
expect(AccessToken, register.sync_detailed(client=anonymous, body=credentials), 201)
token = expect(AccessToken, login.sync_detailed(client=anonymous, body=credentials), 200).access_token
stays = AuthenticatedClient(base_url=gateway, token=token)

# Create.
host = expect(Host, create_host.sync_detailed(client=stays, body=HostRequest(name="Ann")), 201)
homes = []
for address in ["First Street", "Second Street", "Third Street"]:
    body = HomeRequest(address=address, nightly_rate=80.5, beds=2)
    home = expect(Home, create_home.sync_detailed(client=stays, body=body), 201)
    assert home.owner == host.id
    homes.append(home)

# Read and update.
first = homes[0]
assert expect(Home, read_home.sync_detailed(first.id, client=stays), 200) == first
changed = HomeRequest(address="First Street 1", nightly_rate=90, beds=3)
assert expect(Home, update_home.sync_detailed(first.id, client=stays, body=changed), 200).beds == 3

# List, page by page.
own = {home.id for home in homes}
paged = []
after = None
while True:
    page = list_home.sync_detailed(client=stays, limit=2, **({} if after is None else {"after": after}))
    entities = expect(HomeList, page, 200).home_list
    paged += [home.id for home in entities if home.id in own]
    if "link" not in page.headers:
        break
    after = entities[-1].id
assert paged == [home.id for home in homes], paged

# Entries of a struct.
body = PhotoRequest(image="SGVsbG8=", caption="The door")
photo = expect(Photo, create_photo.sync_detailed(first.id, client=stays, body=body), 201)
assert expect(PhotoList, list_photo.sync_detailed(first.id, client=stays), 200).photo_list == [photo]
assert delete_photo.sync_detailed(first.id, photo.id, client=stays).status_code == 200

# Errors.
body = HomeRequest(address="Nowhere", nightly_rate=1, beds=41)
invalid = expect(Error, create_home.sync_detailed(client=stays, body=body), 400)
assert invalid.error == "Invalid request parameter beds: must be an integer from 1 to 40"
again = HostRequest(name="Ann")
assert expect(Error, create_host.sync_detailed(client=stays, body=again), 409).error == "Duplicate Host found"
nobody = uuid.UUID("00000000-0000-4000-8000-000000000000")
missing = expect(Error, read_home.sync_detailed(nobody, client=stays), 404)
assert missing.error == f"Home not found: {nobody}"
refused = expect(GatewayError, list_home.sync_detailed(client=anonymous), 401)
assert refused.message == "Unauthorized"
print("walked")
