import java.net.URI;
import java.net.http.*;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import orgchat.OrgchatMock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.*;

@Execution(ExecutionMode.CONCURRENT)
class SharedTest {
  @RegisterExtension static final OrgchatMock mock = new OrgchatMock();
  static final CyclicBarrier bothRun = new CyclicBarrier(2);

  void readOnce() throws Exception {
    bothRun.await(20, TimeUnit.SECONDS);
    var request = HttpRequest.newBuilder(URI.create(mock.baseUrl() + "/me"))
        .header("Authorization", "Bearer " + mock.apiKey()).build();
    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
    bothRun.await(20, TimeUnit.SECONDS);
    mock.verify("{\"operation\": \"getAccount\", \"times\": 1}");
  }

  @Test void one() throws Exception {
    readOnce();
  }

  @Test void other() throws Exception {
    readOnce();
  }
}
